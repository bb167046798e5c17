/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.report.ReportCharts;
import java.awt.Color;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws production's speed over the first episode of a pair, one line for each mode. */
final class InterferenceChart {
  private static final Map<InterferenceMode, Color> COLOURS =
      new EnumMap<>(
          Map.of(
              InterferenceMode.ALONE, new Color(0x999999),
              InterferenceMode.NONE, new Color(0xD55E00),
              InterferenceMode.STATIC_LIMIT, new Color(0xE69F00),
              InterferenceMode.KILLER, new Color(0xCC79A7),
              InterferenceMode.LIMIT, new Color(0x56B4E9),
              InterferenceMode.LIMIT_AND_KILLER, new Color(0x0072B2)));

  private InterferenceChart() {}

  /** Returns the chart as SVG; empty if nothing of the pair was measured. */
  static Optional<byte[]> svg(Pair pair, List<ScenarioSummary> summaries) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(960)
            .height(320)
            .title(pair.name() + ": production's speed, relative to its own speed when warm")
            .xAxisTitle("s")
            .yAxisTitle("speed")
            .build();
    ReportCharts.style(chart);
    chart.getStyler().setYAxisMin(0.0);
    for (ScenarioSummary summary : summaries) {
      double full = summary.comparison().fullSpeed().orElse(0);
      if (summary.pair().equals(pair) && COLOURS.containsKey(summary.mode()) && full > 0) {
        add(summary, full, chart);
      }
    }
    if (chart.getSeriesMap().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(ReportCharts.svg(chart));
  }

  private static void add(ScenarioSummary summary, double full, XYChart chart) {
    Episode episode = summary.episodes().get(0);
    // Time that does not count is left out, and the rest is stretched to the length of the episode.
    double stretch = episode.seconds() / Math.max(episode.speed().seconds(), 1e-3);
    List<Double> seconds = new ArrayList<>();
    List<Double> speeds = new ArrayList<>();
    double passed = 0;
    for (SpeedSeries.Interval interval : episode.speed().intervals()) {
      passed += interval.seconds() * stretch;
      seconds.add(passed);
      speeds.add(interval.perSecond() / full);
    }
    if (!seconds.isEmpty()) {
      chart
          .addSeries(summary.mode().label(), seconds, speeds)
          .setMarker(SeriesMarkers.NONE)
          .setLineColor(COLOURS.get(summary.mode()));
    }
  }
}
