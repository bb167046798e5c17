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

/** The columns of the table of a result, on the terminal and in the report. */
public enum SummaryColumn {
  /** Share of the submitted best-effort jobs that completed. */
  COMPLETED("completed", Measure.COMPLETION_RATE, 1, "%.3f"),
  /** Failed best-effort jobs. */
  FAILED("failed", Measure.FAILED, 1, "%.0f"),
  /** Unfinished best-effort jobs. */
  UNFINISHED("unfinished", Measure.UNFINISHED, 1, "%.0f"),
  /** Median completion time, seconds. */
  P50("p50 s", Measure.P50_SECONDS, 1, "%.0f"),
  /** 90th percentile of the completion times, seconds. */
  P90("p90 s", Measure.P90_SECONDS, 1, "%.0f"),
  /** 99th percentile of the completion times, seconds. */
  P99("p99 s", Measure.P99_SECONDS, 1, "%.0f"),
  /** Median slowdown relative to production alone. */
  PRODUCTION_P50("production p50", Measure.P50_SLOWDOWN, 1, "%.3f"),
  /** 90th percentile of the slowdowns relative to production alone. */
  PRODUCTION_P90("production p90", Measure.P90_SLOWDOWN, 1, "%.3f"),
  /** Killed containers. */
  KILLS("kills", Measure.KILLS, 1, "%.0f"),
  /** Containers that the oracle moved. */
  MOVES("moves", Measure.MOVES, 1, "%.0f"),
  /** Rejected containers. */
  REJECTED("rejected", Measure.REJECTIONS, 1, "%.0f"),
  /** Lost work, hours. */
  LOST("lost h", Measure.LOST_WORK_SECONDS, 3600, "%.1f"),
  /** Memory in use as a share of all memory. */
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

  /** Returns the heading of the column. */
  public String head() {
    return head;
  }

  /** Returns the mean over the seeds, or a dash if there is none. */
  public String mean(Summary summary) {
    double mean = summary.of(measure).mean();
    return Double.isFinite(mean) ? number(mean) : "-";
  }

  /** Returns the mean and, with more than one seed, half the width of its confidence interval. */
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
