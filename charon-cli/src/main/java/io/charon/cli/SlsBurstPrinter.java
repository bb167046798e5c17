/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.burst.BurstComparison;
import io.charon.sls.burst.BurstComparison.Row;
import io.charon.sls.burst.BurstOutcome;
import io.charon.sls.burst.QuotaVariant;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints the result of {@code charon sls burst}: one table with a row per load and variant. */
final class SlsBurstPrinter {
  private static final double PERCENT = 100;

  private final PrintWriter out;

  SlsBurstPrinter(PrintWriter out) {
    this.out = out;
  }

  /** Prints the table. */
  void print(List<Row> rows, int seeds, int seconds, double poolHigh) {
    TextTable table =
        new TextTable(
            "load",
            "quota",
            "Delay_avg ms",
            "saved",
            "Delay_max ms",
            "U_max %",
            "more",
            "throttled apps %",
            "periods %");
    for (Row row : rows) {
      Row none = BurstComparison.rowOf(row, QuotaVariant.NONE, rows);
      table.add(
          String.format(Locale.ROOT, "%.0f %%", PERCENT * row.load()),
          row.variant().label(),
          row.estimate(BurstOutcome::meanDelayMillis).text(1, 2),
          saved(BurstComparison.saved(row, rows)),
          row.estimate(BurstOutcome::meanOfHighestMillis).text(1, 0),
          row.estimate(BurstOutcome::highestUse).text(PERCENT, 1),
          row.variant() == QuotaVariant.NONE
              ? "-"
              : row.differenceFrom(none, BurstOutcome::highestUse).text(PERCENT, 1),
          row.estimate(BurstOutcome::throttledApplications).text(PERCENT, 1),
          row.estimate(BurstOutcome::throttledPeriods).text(PERCENT, 2));
    }
    table.print(out, "");
    out.printf(
        Locale.ROOT,
        "%d seeds, %d s each; the shared pool reclaims quotas above %.0f %%%n",
        seeds,
        seconds,
        poolHigh);
    out.flush();
  }

  private static String saved(double share) {
    return Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f %%", PERCENT * share) : "-";
  }
}
