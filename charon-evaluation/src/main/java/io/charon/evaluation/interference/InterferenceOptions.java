/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.time.Duration;
import java.util.List;

/**
 * The options of the benchmark.
 *
 * @param pairs pairs in the order in which they are measured
 * @param modes modes beside production alone, which is always measured
 * @param episodes repetitions of each mode of each pair
 * @param episode time during which production is measured in each
 */
public record InterferenceOptions(
    List<Pair> pairs, List<InterferenceMode> modes, int episodes, Duration episode) {
  /** Copies the lists. */
  public InterferenceOptions {
    pairs = List.copyOf(pairs);
    modes = List.copyOf(modes);
  }
}
