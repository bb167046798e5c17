/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.clusterbench.ClusterTargets.ClusterTarget;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of {@code bench cluster}.
 *
 * @param options options of the benchmark
 * @param runs all runs, in the order in which they ran
 * @param remarks features that this machine does not support, and runs of which production failed
 *     in an earlier call; empty if there are none
 * @param hadoop version of Hadoop
 * @param kernel release of the kernel
 * @param processors number of CPUs
 * @param seconds duration of the benchmark
 */
public record ClusterResult(
    ClusterOptions options,
    List<ClusterRunMeasurement> runs,
    List<String> remarks,
    String hadoop,
    String kernel,
    int processors,
    double seconds) {
  /** Copies the lists. */
  public ClusterResult {
    runs = List.copyOf(runs);
    remarks = List.copyOf(remarks);
  }

  /**
   * Returns the remarks, and what protected runs of charon other than the kernel UA killer, also in
   * an earlier call.
   */
  List<String> missing() {
    List<String> missing = new ArrayList<>(remarks);
    runs.stream()
        .filter(run -> run.run().mode() == ClusterMode.CHARON)
        .map(run -> run.nodes().killer())
        .filter(killer -> !killer.startsWith("kernel"))
        .distinct()
        .map(killer -> "Runs of charon without the kernel UA killer; in charge: " + killer)
        .forEach(missing::add);
    return missing;
  }

  /** Returns the comparison of each kind of production. */
  List<ProductionComparison> comparisons() {
    return options.productions().stream()
        .map(production -> new ProductionComparison(production, runs))
        .toList();
  }

  /** Returns the targets of all comparisons, and whether they are met. */
  List<ClusterTarget> targets() {
    return comparisons().stream()
        .flatMap(comparison -> ClusterTargets.of(comparison, options.bestEffort()).stream())
        .toList();
  }
}
