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
 * What the analysis found.
 *
 * @param regulator which law
 * @param grid its cells, by rising window, then std-factor
 * @param budget violations that the worst series may have
 * @param refusedWindows windows that the series cannot bear, and why
 * @param samplesPerWindow windows of the grid, seconds, and how many samples of the coarsest series
 *     they hold
 * @param columns what the columns were taken for
 * @param series how many were replayed
 * @param seriesLeftOut how many had too few samples, or never used anything
 * @param samples samples of all replayed series
 * @param missingSamples samples of them without a value
 * @param samplesAboveCapacity samples of them that used more than there was
 * @param shortestSeconds how long the shortest series lasts
 * @param longestSeconds how long the longest series lasts
 * @param meanUsed mean over the series of the share of the capacity that was used
 * @param peakUsed the highest share that was ever used
 * @param badRows rows that make no sense
 * @param firstBadRows the first of them: file, line, cause
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
   * The cell that affords most to best-effort within the budget; with fewer violations at a tie.
   */
  public Optional<CellResult> recommended() {
    return grid.stream()
        .filter(cell -> cell.maxViolations() <= budget)
        .max(
            Comparator.comparingDouble(CellResult::backgroundAfforded)
                .thenComparing(CellResult::totalViolations, Comparator.reverseOrder()));
  }

  /** The cell of the paper's defaults, if the series can bear its window. */
  public Optional<CellResult> ofThePaper() {
    double window = (double) regulator.defaults().window().toSeconds();
    double stdFactor = regulator.defaults().stdFactor();
    return grid.stream()
        .filter(cell -> cell.windowSeconds() == window && cell.stdFactor() == stdFactor)
        .findFirst();
  }
}
