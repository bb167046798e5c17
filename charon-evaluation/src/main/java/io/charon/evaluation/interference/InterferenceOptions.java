/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.time.Duration;
import java.util.List;

/**
 * What is measured.
 *
 * @param pairs which, in the order in which they are measured
 * @param modes which, beside production alone, which is always measured
 * @param episodes how often each
 * @param episode how long production is measured in each
 */
public record InterferenceOptions(
    List<Pair> pairs, List<InterferenceMode> modes, int episodes, Duration episode) {
  /** Copies the lists. */
  public InterferenceOptions {
    pairs = List.copyOf(pairs);
    modes = List.copyOf(modes);
  }
}
