/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.util.List;

/**
 * What {@code bench reclaim} measured.
 *
 * @param options what it was asked
 * @param cells in the order in which they were measured
 * @param kernel release of the kernel
 * @param cgroups version of cgroups, 1 or 2
 * @param processors how many CPUs
 * @param loadAverage what else ran in the minute before, processes; below 0 where nobody knows
 * @param seconds how long it took
 */
public record ReclaimResult(
    ReclaimOptions options,
    List<ReclaimCell> cells,
    String kernel,
    int cgroups,
    int processors,
    double loadAverage,
    double seconds) {
  /** Copies the list. */
  public ReclaimResult {
    cells = List.copyOf(cells);
  }
}
