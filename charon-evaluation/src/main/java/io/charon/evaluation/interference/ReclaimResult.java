/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.machine.BenchMachine;
import java.util.List;

/**
 * The result of {@code bench reclaim}.
 *
 * @param options options of the run
 * @param cells measurements in their order
 * @param machine the machine
 * @param seconds duration of the run
 */
public record ReclaimResult(
    ReclaimOptions options, List<ReclaimCell> cells, BenchMachine machine, double seconds) {
  /** Copies the list. */
  public ReclaimResult {
    cells = List.copyOf(cells);
  }
}
