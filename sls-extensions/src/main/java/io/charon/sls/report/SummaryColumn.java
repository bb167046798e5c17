/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.report;

import io.charon.sls.run.Estimate;
import io.charon.sls.run.Measure;
import io.charon.sls.run.Summary;
import java.util.Locale;

/** A column of the table of a result, on the terminal as in the report. */
public enum SummaryColumn {
  /** Share of best-effort jobs. */
  COMPLETED("completed", Measure.COMPLETION_RATE, 1, "%.3f"),
  /** Best-effort jobs. */
  FAILED("failed", Measure.FAILED, 1, "%.0f"),
  /** Best-effort jobs. */
  UNFINISHED("unfinished", Measure.UNFINISHED, 1, "%.0f"),
  /** Seconds. */
  P50("p50 s", Measure.P50_SECONDS, 1, "%.0f"),
  /** Seconds. */
  P90("p90 s", Measure.P90_SECONDS, 1, "%.0f"),
  /** Seconds. */
  P99("p99 s", Measure.P99_SECONDS, 1, "%.0f"),
  /** Times production alone. */
  PRODUCTION_P50("production p50", Measure.P50_SLOWDOWN, 1, "%.3f"),
  /** Times production alone. */
  PRODUCTION_P90("production p90", Measure.P90_SLOWDOWN, 1, "%.3f"),
  /** Containers. */
  KILLS("kills", Measure.KILLS, 1, "%.0f"),
  /** Containers; of the oracle alone. */
  MOVES("moves", Measure.MOVES, 1, "%.0f"),
  /** Containers. */
  REJECTED("rejected", Measure.REJECTIONS, 1, "%.0f"),
  /** Hours. */
  LOST("lost h", Measure.LOST_WORK_SECONDS, 3600, "%.1f"),
  /** Share of all memory. */
  MEMORY("memory", Measure.MEMORY_UTILIZATION, 1, "%.2f");

  private final String head;
  private final Measure measure;
  private final double unit;
  private final String format;

  SummaryColumn(String head, Measure measure, double unit, String format) {
    this.head = head;
    this.measure = measure;
    this.unit = unit;
    this.format = format;
  }

  /** Its heading. */
  public String head() {
    return head;
  }

  /** The mean over the seeds; a dash where there is none. */
  public String mean(Summary summary) {
    double mean = summary.of(measure).mean();
    return Double.isFinite(mean) ? number(mean) : "-";
  }

  /** The mean, and with more than one seed half the width of its confidence interval. */
  public String withInterval(Summary summary) {
    Estimate estimate = summary.of(measure);
    return Double.isFinite(estimate.mean()) && Double.isFinite(estimate.halfWidth())
        ? number(estimate.mean()) + " ±" + number(estimate.halfWidth())
        : mean(summary);
  }

  private String number(double value) {
    return String.format(Locale.ROOT, format, value / unit);
  }
}
