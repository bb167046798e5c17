/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.report.ReportCharts;
import java.awt.Color;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Draws the completion rate of best-effort jobs by load and mode. */
final class ClusterChart {
  private static final Map<ClusterMode, Color> COLOURS =
      Map.of(
          ClusterMode.STOCK_YARN, new Color(0xE69F00),
          ClusterMode.THRESHOLD, new Color(0xCC79A7),
          ClusterMode.CHARON, new Color(0x0072B2));

  private ClusterChart() {}

  /** Returns the chart as SVG. */
  static byte[] svg(ProductionComparison comparison) throws IOException {
    return ReportCharts.svg(chart(comparison));
  }

  private static CategoryChart chart(ProductionComparison comparison) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(960)
            .height(360)
            .title(
                "Best-effort jobs completed, as a share of those submitted; production: "
                    + comparison.production().label())
            .xAxisTitle("load")
            .yAxisTitle("share")
            .build();
    ReportCharts.style(chart);
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setYAxisMax(1.0);
    for (ClusterMode mode : ClusterMode.values()) {
      List<ClusterScenarioSummary> summaries =
          comparison.summaries().stream()
              .filter(summary -> summary.mode() == mode && mode.runsBestEffort())
              .toList();
      if (!summaries.isEmpty()) {
        chart
            .addSeries(
                mode.label(),
                summaries.stream().map(summary -> "X" + summary.load()).toList(),
                summaries.stream().map(summary -> summary.completionRate().orElse(0)).toList())
            .setFillColor(COLOURS.get(mode));
      }
    }
    return chart;
  }
}
