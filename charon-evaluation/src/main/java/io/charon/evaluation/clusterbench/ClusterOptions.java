/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.time.Duration;
import java.util.List;

/**
 * Options of {@code bench cluster}.
 *
 * @param productions kinds of production, each measured separately
 * @param modes modes with best-effort jobs; both runs of production alone always take place
 * @param loads numbers of copies of each best-effort submission
 * @param bestEffort kind of the best-effort jobs
 * @param placement the component that chooses nodes
 * @param repetitions how often each mode runs, at least 1
 * @param horizon how long best-effort jobs are counted and production is measured
 * @param quick whether the user asked for a short run
 */
public record ClusterOptions(
    List<ProductionKind> productions,
    List<ClusterMode> modes,
    List<Integer> loads,
    BestEffortKind bestEffort,
    BestEffortPlacement placement,
    int repetitions,
    Duration horizon,
    boolean quick) {
  /** Copies the lists. */
  public ClusterOptions {
    productions = List.copyOf(productions);
    modes = List.copyOf(modes);
    loads = List.copyOf(loads);
  }
}
