/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.util.List;

/**
 * What {@code bench cluster} measured.
 *
 * @param options what was asked for
 * @param runs all of them, in the order in which they ran
 * @param remarks what could not be had on this machine; empty if all could
 * @param hadoop version of Hadoop
 * @param kernel release of the kernel
 * @param processors how many CPUs
 * @param seconds how long it took
 */
public record ClusterResult(
    ClusterOptions options,
    List<RunMeasurement> runs,
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

  /** One for each kind of production. */
  List<ProductionComparison> comparisons() {
    return options.productions().stream()
        .map(production -> new ProductionComparison(production, runs))
        .toList();
  }
}
