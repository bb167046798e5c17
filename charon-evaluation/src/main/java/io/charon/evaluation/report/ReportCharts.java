/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.report;

import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;

/** The style and the format of all charts. */
public final class ReportCharts {
  private ReportCharts() {}

  /** Sets the legend beside a chart, and a white background. */
  public static void style(Chart<?, ?> chart) {
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
  }

  /** Returns the chart as SVG. */
  public static byte[] svg(Chart<?, ?> chart) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    VectorGraphicsEncoder.saveVectorGraphic(chart, bytes, VectorGraphicsFormat.SVG);
    return bytes.toByteArray();
  }

  /**
   * Writes the chart as SVG.
   *
   * @throws IOException if the file cannot be written
   */
  public static void write(Chart<?, ?> chart, Path file) throws IOException {
    VectorGraphicsEncoder.saveVectorGraphic(
        chart, ReportFiles.inDirectory(file).toString(), VectorGraphicsFormat.SVG);
  }
}
