/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.report.ReportCharts;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;

/**
 * Draws for every kill the time from the decision until the memory was free, on a logarithmic axis.
 */
public final class KillerChart {
  private static final Map<String, Color> COLOURS =
      Map.of(
          KillVariants.IN_KERNEL, new Color(0x56B4E9),
          KillVariants.IN_KERNEL_WITH_REAPER, new Color(0x0072B2),
          KillVariants.HELPER_KILLS, new Color(0x009E73),
          KillVariants.HELPER_DETECTS, new Color(0xCC79A7),
          KillVariants.JVM, new Color(0xD55E00),
          KillVariants.LINUX, new Color(0x888888));

  private static final int MARKER = 6;

  /** Horizontal distance between the variants of one size. */
  private static final double MEGABYTES_APART = 5;

  private KillerChart() {}

  /**
   * Writes the chart as SVG.
   *
   * @throws IOException if the file cannot be written
   */
  public static void write(KillerResult result, Path file) throws IOException {
    ReportCharts.write(chart(result), file);
  }

  static XYChart chart(KillerResult result) {
    XYChart chart =
        new XYChartBuilder()
            .width(960)
            .height(480)
            .title("From the decision until the memory was free, every kill")
            .xAxisTitle("megabytes of the container (variants side by side, 5 MB apart)")
            .yAxisTitle("milliseconds")
            .build();
    ReportCharts.style(chart);
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setXAxisMin(0.0);
    chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
    chart.getStyler().setMarkerSize(MARKER);
    List<String> variants = result.options().variants();
    for (String variant : variants) {
      List<Double> x = new ArrayList<>();
      List<Double> y = new ArrayList<>();
      for (KillSummary summary : result.summaries()) {
        if (summary.variant().equals(variant)) {
          for (double sample : summary.decisionToFreed().samples()) {
            x.add(summary.megabytes() + MEGABYTES_APART * variants.indexOf(variant));
            y.add(sample);
          }
        }
      }
      if (!x.isEmpty()) {
        chart.addSeries(variant, x, y).setMarkerColor(COLOURS.get(variant));
      }
    }
    // The axis has labels at powers of ten only.
    chart.getStyler().setYAxisMin(powerOfTen(samples(result).min(), Math::floor));
    chart.getStyler().setYAxisMax(powerOfTen(samples(result).max(), Math::ceil));
    return chart;
  }

  private static DoubleStream samples(KillerResult result) {
    return result.summaries().stream()
        .flatMap(summary -> summary.decisionToFreed().samples().stream())
        .mapToDouble(Double::doubleValue)
        .filter(sample -> sample > 0);
  }

  private static double powerOfTen(OptionalDouble value, DoubleUnaryOperator rounding) {
    return Math.pow(10, rounding.applyAsDouble(Math.log10(value.orElse(10))));
  }
}
