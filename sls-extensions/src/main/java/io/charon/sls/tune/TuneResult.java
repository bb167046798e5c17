/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import io.charon.sls.trace.BadRows;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of an analysis.
 *
 * @param regulator the tuned regulator
 * @param grid its cells, by increasing window, then by std-factor
 * @param budget violations that the worst series may have
 * @param refusedWindows windows that cannot be used with the series, with the reason
 * @param samplesPerWindow windows of the grid in seconds, with the number of samples of the
 *     coarsest series in each
 * @param columns description of the columns that were used
 * @param series the series that were replayed
 * @param badRows rows that could not be used
 */
public record TuneResult(
    TunedRegulator regulator,
    List<CellResult> grid,
    long budget,
    List<RefusedWindow> refusedWindows,
    Map<Double, Double> samplesPerWindow,
    String columns,
    SeriesSummary series,
    BadRows badRows) {

  /**
   * Returns the cell within the budget in which best-effort may use the most; at a tie, the one
   * with fewer violations.
   */
  public Optional<CellResult> recommended() {
    return grid.stream()
        .filter(cell -> cell.maxViolations() <= budget)
        .max(
            Comparator.comparingDouble(CellResult::backgroundAfforded)
                .thenComparing(CellResult::totalViolations, Comparator.reverseOrder()));
  }

  /** Returns the cell of the paper's defaults, if its window can be used with the series. */
  public Optional<CellResult> ofThePaper() {
    double window = (double) regulator.defaults().window().toSeconds();
    double stdFactor = regulator.defaults().stdFactor();
    return grid.stream()
        .filter(cell -> cell.windowSeconds() == window && cell.stdFactor() == stdFactor)
        .findFirst();
  }
}
