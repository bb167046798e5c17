/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.ReportHtml;
import io.charon.evaluation.killer.ReportHtml.Verdict;
import io.charon.evaluation.report.ReportFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the report as one self-contained HTML file with targets, table and charts. */
public final class ClusterHtml {
  private static final String TITLE =
      "Charon compared with stock YARN and a threshold policy on a real cluster";

  private ClusterHtml() {}

  /**
   * Writes the report.
   *
   * @throws IOException if the file cannot be written
   */
  public static void write(Path file, Report report, ClusterResult result) throws IOException {
    ReportFiles.write(file, text(report, result));
  }

  static String text(Report report, ClusterResult result) throws IOException {
    List<Verdict> verdicts =
        result.targets().stream().map(target -> new Verdict(target.line(), target.met())).toList();
    Map<String, byte[]> figures = new LinkedHashMap<>();
    for (ProductionComparison comparison : result.comparisons()) {
      if (comparison.hasBestEffort()) {
        figures.put(
            "completion rate, production: " + comparison.production().label(),
            ClusterChart.svg(comparison));
      }
    }
    return ReportHtml.text(TITLE, report, verdicts, figures);
  }
}
