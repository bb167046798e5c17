/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.report.SimulationResult;
import io.charon.sls.report.SummaryColumn;
import io.charon.sls.run.Summary;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Prints the result of {@code charon sls run} as a table: one line per policy and load. */
final class SlsResultPrinter {
  /**
   * Columns without confidence intervals, to keep a line readable; the report and the files have
   * them.
   */
  private static final Set<SummaryColumn> BARE =
      EnumSet.of(
          SummaryColumn.FAILED,
          SummaryColumn.UNFINISHED,
          SummaryColumn.KILLS,
          SummaryColumn.MOVES,
          SummaryColumn.REJECTED,
          SummaryColumn.LOST,
          SummaryColumn.MEMORY);

  private final PrintWriter out;

  SlsResultPrinter(PrintWriter out) {
    this.out = out;
  }

  /** Prints the table, an explanation of its columns, and the speed of the runs. */
  void print(SimulationResult result) {
    List<String> heads = new ArrayList<>(List.of("policy", "load"));
    for (SummaryColumn column : SummaryColumn.values()) {
      heads.add(column.head());
    }
    TextTable table = new TextTable(heads.toArray(String[]::new));
    int seeds = 0;
    for (Summary summary : result.summaries()) {
      seeds = Math.max(seeds, summary.seeds());
      List<String> cells =
          new ArrayList<>(List.of(summary.cell().policy(), "X" + summary.cell().load()));
      for (SummaryColumn column : SummaryColumn.values()) {
        cells.add(BARE.contains(column) ? column.mean(summary) : column.withInterval(summary));
      }
      table.add(cells.toArray(String[]::new));
    }
    out.println();
    table.print(out, "");
    out.println();
    out.println(
        "completed: share of the submitted best-effort jobs that completed, then how many "
            + "failed and were unfinished; p50 to p99: their completion times. production: "
            + "completion time relative to production alone.");
    if (seeds > 1) {
      out.printf("Means over %d seeds, with 95 %% confidence intervals (Student's t).%n", seeds);
    }
    if (result.isPartial()) {
      out.println(
          "PARTIAL: the runs were interrupted; jobs that were not complete then count "
              + "as unfinished.");
    }
    out.printf(
        Locale.ROOT,
        "%.0f virtual seconds in %.1f s of wall time: %.0f virtual seconds per second, "
            + "runs of production alone included. Event checksum %s.%n",
        result.virtualSeconds(),
        result.wallSeconds(),
        result.virtualSeconds() / result.wallSeconds(),
        result.eventChecksum());
    out.flush();
  }
}
