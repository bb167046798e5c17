/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.tune.CellResult;
import io.charon.sls.tune.Numbers;
import io.charon.sls.tune.RefusedWindow;
import io.charon.sls.tune.SeriesSummary;
import io.charon.sls.tune.TuneResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Prints the result of {@code charon tune} as a table: one row per window, one column per
 * std-factor.
 */
final class TunePrinter {
  private static final double SECONDS_PER_DAY = 86_400;

  private final PrintWriter out;

  TunePrinter(PrintWriter out) {
    this.out = out;
  }

  /** Prints the input, the grid and the recommendation. */
  void print(TuneResult result, double seconds) {
    printSeries(result);
    out.println();
    out.println(
        "Most violations of one series / share of the capacity afforded to best-effort (* recommended):");
    printGrid(result);
    RefusedWindow.lines(result.refusedWindows())
        .forEach(line -> out.println(PlainText.escape(line)));
    out.println();
    printRecommendation(result);
    out.printf(
        Locale.ROOT,
        "%,d samples in %d cells, %.1f s%n",
        result.series().samples().all(),
        result.grid().size(),
        seconds);
    out.flush();
  }

  private void printSeries(TuneResult result) {
    SeriesSummary series = result.series();
    out.printf(
        Locale.ROOT,
        "%s: %,d series, %,d samples; %s%n",
        result.regulator(),
        series.replayed(),
        series.samples().all(),
        PlainText.escape(result.columns()));
    out.printf(
        Locale.ROOT,
        "they last %s to %s; the foreground uses %.1f %% of the capacity, at most %.1f %%%n",
        duration(series.shortestSeconds()),
        duration(series.longestSeconds()),
        100 * series.meanUsed(),
        100 * series.peakUsed());
    printIfAny(series.samples().missing(), "samples have no value");
    printIfAny(series.samples().aboveCapacity(), "samples are above the capacity");
    printIfAny(series.leftOut(), "series left out: too few samples, or never above 0");
    if (result.badRows().count() > 0) {
      out.printf(Locale.ROOT, "%,d bad rows left out, the first:%n", result.badRows().count());
      result.badRows().first().forEach(row -> out.println("  " + PlainText.escape(row)));
    }
  }

  private void printIfAny(long count, String what) {
    if (count > 0) {
      out.printf(Locale.ROOT, "%,d %s%n", count, what);
    }
  }

  private void printGrid(TuneResult result) {
    Optional<CellResult> recommended = result.recommended();
    List<String> header = new ArrayList<>(List.of("window", "samples"));
    result.grid().stream()
        .map(cell -> "c = " + Numbers.text(cell.stdFactor()))
        .distinct()
        .forEach(header::add);
    TextTable table = new TextTable(header.toArray(String[]::new));
    result
        .samplesPerWindow()
        .forEach(
            (window, samples) -> {
              List<String> row = new ArrayList<>();
              row.add(Numbers.seconds(window));
              row.add(String.format(Locale.ROOT, "%.1f", samples));
              result.grid().stream()
                  .filter(cell -> cell.windowSeconds() == window)
                  .map(
                      cell ->
                          text(cell) + (recommended.filter(cell::equals).isPresent() ? " *" : ""))
                  .forEach(row::add);
              table.add(row.toArray(String[]::new));
            });
    table.print(out, "");
  }

  private void printRecommendation(TuneResult result) {
    Optional<CellResult> recommended = result.recommended();
    if (recommended.isPresent()) {
      out.println("Recommended: " + sentence(recommended.get()));
    } else {
      out.printf(
          "No cell keeps every series to %d violations. Use a larger --budget, larger --std-factors or longer --windows.%n",
          result.budget());
    }
    out.println(
        "The paper's default: "
            + result
                .ofThePaper()
                .map(TunePrinter::sentence)
                .orElse(
                    "window %d s, c %s: not in this grid"
                        .formatted(
                            result.regulator().defaults().window().toSeconds(),
                            Numbers.text(result.regulator().defaults().stdFactor()))));
  }

  private static String text(CellResult cell) {
    return String.format(Locale.ROOT, "%d / %.4f", cell.maxViolations(), cell.backgroundAfforded());
  }

  private static String sentence(CellResult cell) {
    return String.format(
        Locale.ROOT,
        "window %s, c %s: at most %,d violations (series %s), %,d in all, by %.2f %% of the capacity on average and %.2f %%"
            + " at most; best-effort is afforded %.2f %%",
        Numbers.seconds(cell.windowSeconds()),
        Numbers.text(cell.stdFactor()),
        cell.maxViolations(),
        PlainText.escape(cell.worstSeries()),
        cell.totalViolations(),
        100 * cell.meanExcess(),
        100 * cell.largestExcess(),
        100 * cell.backgroundAfforded());
  }

  private static String duration(double seconds) {
    return seconds >= SECONDS_PER_DAY
        ? String.format(Locale.ROOT, "%.1f days", seconds / SECONDS_PER_DAY)
        : String.format(Locale.ROOT, "%.0f s", seconds);
  }
}
