/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.demo.DemoRunResult.MemorySample;
import io.charon.evaluation.report.ReportCharts;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws used and reserved memory over time, for the first run of each mode. */
final class DemoChart {
  private static final double GIBIBYTE = 1L << 30;
  private static final Map<DemoMode, Color> USED_COLOURS =
      Map.of(
          DemoMode.ALONE, new Color(0x888888),
          DemoMode.STOCK_YARN, new Color(0xE69F00),
          DemoMode.CHARON, new Color(0x0072B2),
          DemoMode.THRESHOLD, new Color(0xCC79A7),
          DemoMode.REGULATED, new Color(0x009E73));

  private DemoChart() {}

  /** Writes the chart as SVG. */
  static void write(DemoResult result, Path file) throws IOException {
    ReportCharts.write(chart(result), file);
  }

  static XYChart chart(DemoResult result) {
    XYChart chart =
        new XYChartBuilder()
            .width(960)
            .height(480)
            .title("Memory of the cluster: used against reserved")
            .xAxisTitle("seconds")
            .yAxisTitle("GiB")
            .build();
    ReportCharts.style(chart);
    chart.getStyler().setYAxisMin(0.0);
    List<MemorySample> last = List.of();
    for (DemoModeSummary mode : result.modes().values()) {
      last = mode.runs().get(0).memory().samples();
      addSeries(chart, mode.mode(), "used, ", last, MemorySample::usedBytes, 2f);
    }
    // Reservations differ between modes only by the ApplicationMasters: one line is enough.
    if (!last.isEmpty()) {
      add(chart, "reserved", last, MemorySample::reservedBytes, new Color(0xD55E00), 1f);
      add(chart, "capacity", last, MemorySample::limitBytes, Color.BLACK, 1f);
    }
    return chart;
  }

  private static void addSeries(
      XYChart chart,
      DemoMode mode,
      String prefix,
      List<MemorySample> samples,
      ToLongFunction<MemorySample> value,
      float width) {
    if (!samples.isEmpty()) {
      add(chart, prefix + mode.label(), samples, value, USED_COLOURS.get(mode), width);
    }
  }

  private static void add(
      XYChart chart,
      String name,
      List<MemorySample> samples,
      ToLongFunction<MemorySample> value,
      Color colour,
      float width) {
    List<Double> seconds = new ArrayList<>();
    List<Double> gibibytes = new ArrayList<>();
    for (MemorySample sample : samples) {
      seconds.add(sample.seconds());
      gibibytes.add(value.applyAsLong(sample) / GIBIBYTE);
    }
    chart
        .addSeries(name, seconds, gibibytes)
        .setMarker(SeriesMarkers.NONE)
        .setLineColor(colour)
        .setLineWidth(width);
  }
}
