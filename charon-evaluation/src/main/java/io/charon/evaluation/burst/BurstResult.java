/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.evaluation.machine.BenchMachine;
import java.util.List;

/**
 * The measurements of {@code bench burst}.
 *
 * @param options options of the run
 * @param cells cells in the order in which they were measured
 * @param share original quota of each application
 * @param machine the machine
 * @param seconds duration of the run
 */
public record BurstResult(
    BurstOptions options,
    List<BurstCell> cells,
    Bandwidth share,
    BenchMachine machine,
    double seconds) {
  /** Copies the list. */
  public BurstResult {
    cells = List.copyOf(cells);
  }
}
