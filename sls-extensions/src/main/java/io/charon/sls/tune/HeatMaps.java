/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.HeatMapChart;
import org.knowm.xchart.HeatMapChartBuilder;

/** Draws the grid: one picture of the violations, one of the capacity that best-effort may use. */
public final class HeatMaps {
  private static final Color[] GOOD_TO_BAD = {new Color(0xF7FBFF), new Color(0xD55E00)};
  private static final Color[] LITTLE_TO_MUCH = {new Color(0xF7FBFF), new Color(0x0072B2)};

  private HeatMaps() {}

  /**
   * Writes {@code tune-violations.png} and {@code tune-background.png}.
   *
   * @throws IOException if a file cannot be written
   */
  public static void write(TuneResult result, Path directory) throws IOException {
    Files.createDirectories(directory);
    save(violations(result), directory.resolve("tune-violations.png"));
    save(background(result), directory.resolve("tune-background.png"));
  }

  static HeatMapChart violations(TuneResult result) {
    HeatMapChart chart =
        chart(
            result,
            "Violations of the series that has most (" + result.regulator() + ")",
            CellResult::maxViolations,
            GOOD_TO_BAD);
    chart.getStyler().setHeatMapValueDecimalPattern("0");
    return chart;
  }

  static HeatMapChart background(TuneResult result) {
    HeatMapChart chart =
        chart(
            result,
            "Share of the capacity afforded to best-effort, % (" + result.regulator() + ")",
            cell -> 100 * cell.backgroundAfforded(),
            LITTLE_TO_MUCH);
    chart.getStyler().setHeatMapValueDecimalPattern("0.0");
    return chart;
  }

  private static HeatMapChart chart(
      TuneResult result, String title, ToDoubleFunction<CellResult> value, Color[] colours) {
    HeatMapChart chart =
        new HeatMapChartBuilder()
            .width(760)
            .height(480)
            .title(title)
            .xAxisTitle("std-factor c")
            .yAxisTitle("window, seconds")
            .build();
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setShowValue(true);
    chart.getStyler().setRangeColors(colours);
    List<String> factors =
        result.grid().stream().map(cell -> Numbers.text(cell.stdFactor())).distinct().toList();
    List<String> windows =
        result.grid().stream().map(cell -> Numbers.text(cell.windowSeconds())).distinct().toList();
    List<Number[]> cells = new ArrayList<>();
    for (int index = 0; index < result.grid().size(); index++) {
      cells.add(
          new Number[] {
            index % factors.size(),
            index / factors.size(),
            value.applyAsDouble(result.grid().get(index))
          });
    }
    chart.addSeries("tune", factors, windows, cells);
    return chart;
  }

  private static void save(HeatMapChart chart, Path file) throws IOException {
    // An SVG would be ten times as large: the scale alone is hundreds of lines.
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }
}
