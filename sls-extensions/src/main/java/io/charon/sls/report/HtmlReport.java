/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.report;

import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.run.ResultContext;
import io.charon.sls.run.Summary;
import io.charon.sls.trace.WorkloadHeader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A result as one self-contained HTML file: the table, the pictures, the workload and the settings.
 */
final class HtmlReport {
  private static final double GIBIBYTE = 1L << 30;
  private static final String STYLE =
      """
      body { font: 16px/1.5 sans-serif; max-width: 1000px; margin: 2em auto; padding: 0 1em; color: #222; }
      table { border-collapse: collapse; margin: 1em 0; font-size: 14px; }
      th, td { padding: 3px 10px; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
      th:first-child, td:first-child { text-align: left; }
      .scroll { overflow-x: auto; }
      figure { margin: 2em 0; } figure img { width: 100%; } figcaption { color: #555; }
      code { background: #f3f3f3; padding: 2px 4px; overflow-wrap: anywhere; }
      .warning { background: #fff3cd; padding: 0.5em 1em; }
      """;

  private final SimulationResult result;
  private final StringBuilder html = new StringBuilder();

  private HtmlReport(SimulationResult result) {
    this.result = result;
  }

  /**
   * Writes the report.
   *
   * @param file the file to write
   * @param result result to report
   * @param pictures pictures to embed
   * @param remark reason why there are no pictures; empty if there are
   */
  static void write(Path file, SimulationResult result, List<Picture> pictures, String remark)
      throws IOException {
    Files.writeString(file, new HtmlReport(result).page(pictures, remark), StandardCharsets.UTF_8);
  }

  private String page(List<Picture> pictures, String remark) throws IOException {
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n<title>")
        .append("Charon: result of a simulation</title>\n<style>\n")
        .append(STYLE)
        .append("</style></head>\n<body>\n<h1>Result of a simulation</h1>\n");
    paragraph(result.context().description());
    if (result.isPartial()) {
      html.append(
              "<p class=\"warning\">Partial: the runs were interrupted; jobs that were not "
                  + "complete then")
          .append(" count as unfinished.</p>\n");
    }
    summaries();
    html.append("<h2>Pictures</h2>\n");
    paragraph(remark);
    for (Picture picture : pictures) {
      html.append("<figure><img alt=\"")
          .append(escape(picture.caption()))
          .append("\" src=\"")
          .append(picture.dataAddress())
          .append("\"><figcaption>")
          .append(escape(picture.caption()))
          .append("</figcaption></figure>\n");
    }
    workload();
    settings();
    html.append("<h2>How to repeat</h2>\n<p><code>")
        .append(escape(result.context().command()))
        .append("</code></p>\n");
    paragraph(
        String.format(
            Locale.ROOT,
            "Event checksum %s: the same command gives the same checksum. %.0f virtual seconds "
                + "in %.1f s of wall time.",
            result.eventChecksum(),
            result.virtualSeconds(),
            result.wallSeconds()));
    return html.append("</body></html>\n").toString();
  }

  private void summaries() {
    html.append("<h2>Comparison of policies</h2>\n<div class=\"scroll\"><table>\n<tr>");
    head("policy");
    head("load");
    for (SummaryColumn column : SummaryColumn.values()) {
      head(column.head());
    }
    html.append("</tr>\n");
    int seeds = 0;
    for (Summary summary : result.summaries()) {
      seeds = Math.max(seeds, summary.seeds());
      html.append("<tr>");
      cell(summary.cell().policy());
      cell("X" + summary.cell().load());
      for (SummaryColumn column : SummaryColumn.values()) {
        cell(column.withInterval(summary));
      }
      html.append("</tr>\n");
    }
    html.append("</table></div>\n");
    paragraph(
        "Completed: share of submitted best-effort jobs, then how many failed and were "
            + "unfinished. p50 to p99: their completion times. Production: completion time "
            + "relative to production alone. Kills and rejections: containers. Lost: work done "
            + "in vain. Memory: used share of all memory, until the last submission."
            + (seeds > 1
                ? " Means over " + seeds + " seeds, with 95 % confidence intervals (Student's t)."
                : " One seed: no confidence intervals."));
  }

  private void workload() {
    List<WorkloadHeader> workloads = result.context().workloads();
    html.append("<h2>Workload</h2>\n");
    if (workloads.size() > 1) {
      paragraph("A workload for each of " + workloads.size() + " seeds.");
    }
    workloads.forEach(this::workload);
  }

  private void workload(WorkloadHeader workload) {
    table(
        entries(
            "production jobs", Long.toString(workload.counts().productionJobs()),
            "best-effort jobs, at X1", Long.toString(workload.counts().bestEffortJobs()),
            "tasks, at X1", Long.toString(workload.counts().tasks()),
            "used share of requested memory", ratio(workload.usedOverRequested().all()),
            "of production", ratio(workload.usedOverRequested().production()),
            "of best-effort jobs", ratio(workload.usedOverRequested().bestEffort())));
    paragraph(workload.provenance());
    html.append("<ul>\n");
    for (String rule : workload.rules()) {
      html.append("<li>").append(escape(rule)).append("</li>\n");
    }
    html.append("</ul>\n");
  }

  private void settings() {
    ResultContext context = result.context();
    ClusterSettings cluster = context.cluster();
    PolicySettings policies = context.policies();
    html.append("<h2>Settings</h2>\n");
    table(
        entries(
            "nodes", Integer.toString(cluster.nodes().count()),
            "cores of each", Integer.toString(cluster.nodes().size().virtualCores()),
            "memory of each", gibibytes(cluster.nodes().size().memoryBytes()),
            "swap of each", gibibytes(cluster.nodes().size().swapBytes()),
            "best-effort containers that may wait on a node", "" + cluster.nodes().queueLimit(),
            "a kill is",
                cluster.retries().killsAreFailures() ? "a failure of its task" : "a preemption",
            "kill delays", policies.killDelays().name().toLowerCase(Locale.ROOT),
            "a run ends after the last submission within",
                context.afterLastSubmission().toMinutes() + " min"));
  }

  private void cell(String text) {
    html.append("<td>").append(escape(text)).append("</td>");
  }

  private void head(String text) {
    html.append("<th>").append(text).append("</th>");
  }

  private void paragraph(String text) {
    if (!text.isEmpty()) {
      html.append("<p>").append(escape(text)).append("</p>\n");
    }
  }

  private void table(Map<String, String> rows) {
    html.append("<table>\n");
    rows.forEach(
        (name, value) -> {
          html.append("<tr>");
          cell(name);
          cell(value);
          html.append("</tr>\n");
        });
    html.append("</table>\n");
  }

  private static Map<String, String> entries(String... namesAndValues) {
    Map<String, String> entries = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      entries.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return entries;
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  private static String gibibytes(long bytes) {
    return String.format(Locale.ROOT, "%.0f GiB", bytes / GIBIBYTE);
  }

  /** Names and descriptions come from files of other people. */
  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
