/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

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
 * @param series number of replayed series
 * @param seriesLeftOut number of series with too few samples, or whose use is always 0
 * @param samples samples of all replayed series
 * @param missingSamples samples without a value among these
 * @param samplesAboveCapacity samples with a use above the capacity among these
 * @param shortestSeconds duration of the shortest series
 * @param longestSeconds duration of the longest series
 * @param meanUsed mean over the series of the used share of the capacity
 * @param peakUsed highest used share of the capacity
 * @param badRows number of rows that could not be used
 * @param firstBadRows the first of these: file, line, cause
 */
public record TuneResult(
    TunedRegulator regulator,
    List<CellResult> grid,
    long budget,
    List<RefusedWindow> refusedWindows,
    Map<Double, Double> samplesPerWindow,
    String columns,
    int series,
    int seriesLeftOut,
    long samples,
    long missingSamples,
    long samplesAboveCapacity,
    double shortestSeconds,
    double longestSeconds,
    double meanUsed,
    double peakUsed,
    long badRows,
    List<String> firstBadRows) {

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
