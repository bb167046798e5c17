/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.simulation.SimulationResult;
import io.charon.sls.run.Estimate;
import io.charon.sls.run.Measure;
import io.charon.sls.run.Summary;
import java.io.PrintWriter;
import java.util.Locale;

/** The result of {@code charon sls run} as a table: a line for each policy and load. */
final class SlsResultPrinter {
  private static final double SECONDS_PER_HOUR = 3600;

  private final PrintWriter out;

  SlsResultPrinter(PrintWriter out) {
    this.out = out;
  }

  /** Prints the table, how to read it, and how fast the runs were. */
  void print(SimulationResult result) {
    TextTable table =
        new TextTable(
            "policy",
            "load",
            "completed",
            "failed",
            "unfinished",
            "p50 s",
            "p90 s",
            "p99 s",
            "production p50",
            "p90",
            "kills",
            "rejected",
            "lost h",
            "memory");
    int seeds = 0;
    for (Summary summary : result.summaries()) {
      seeds = Math.max(seeds, summary.seeds());
      table.add(
          summary.cell().policy(),
          "X" + summary.cell().load(),
          withInterval(summary.of(Measure.COMPLETION_RATE), "%.3f"),
          mean(summary.of(Measure.FAILED), 1, "%.0f"),
          mean(summary.of(Measure.UNFINISHED), 1, "%.0f"),
          withInterval(summary.of(Measure.P50_SECONDS), "%.0f"),
          withInterval(summary.of(Measure.P90_SECONDS), "%.0f"),
          withInterval(summary.of(Measure.P99_SECONDS), "%.0f"),
          withInterval(summary.of(Measure.P50_SLOWDOWN), "%.3f"),
          withInterval(summary.of(Measure.P90_SLOWDOWN), "%.3f"),
          mean(summary.of(Measure.KILLS), 1, "%.0f"),
          mean(summary.of(Measure.REJECTIONS), 1, "%.0f"),
          mean(summary.of(Measure.LOST_WORK_SECONDS), SECONDS_PER_HOUR, "%.1f"),
          mean(summary.of(Measure.MEMORY_UTILIZATION), 1, "%.2f"));
    }
    out.println();
    table.print(out, "");
    out.println();
    out.println(
        "completed: share of submitted best-effort jobs, then how many failed and were unfinished; p50 to p99: their"
            + " completion times. production: completion time over that of production alone.");
    if (seeds > 1) {
      out.printf("Means over %d seeds, with 95 %% confidence intervals (Student's t).%n", seeds);
    }
    if (result.isPartial()) {
      out.println(
          "PARTIAL: the runs were interrupted; what was not done then counts as unfinished.");
    }
    out.printf(
        Locale.ROOT,
        "%.0f virtual seconds in %.1f s of wall time: %.0f for each, runs of production alone included."
            + " Event checksum %s.%n",
        result.virtualSeconds(),
        result.wallSeconds(),
        result.virtualSeconds() / result.wallSeconds(),
        result.eventChecksum());
    out.flush();
  }

  private static String withInterval(Estimate estimate, String format) {
    String mean = mean(estimate, 1, format);
    return Double.isFinite(estimate.halfWidth())
        ? mean + " ±" + String.format(Locale.ROOT, format, estimate.halfWidth())
        : mean;
  }

  private static String mean(Estimate estimate, double unit, String format) {
    return Double.isFinite(estimate.mean())
        ? String.format(Locale.ROOT, format, estimate.mean() / unit)
        : "-";
  }
}
