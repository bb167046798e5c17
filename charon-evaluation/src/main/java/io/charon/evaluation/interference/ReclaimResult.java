/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.util.List;

/**
 * The result of {@code bench reclaim}.
 *
 * @param options options of the run
 * @param cells measurements in their order
 * @param kernel release of the kernel
 * @param cgroups version of the cgroups, 1 or 2
 * @param processors number of processors
 * @param loadAverage load average of the minute before the run; negative if it is unknown
 * @param seconds duration of the run
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
