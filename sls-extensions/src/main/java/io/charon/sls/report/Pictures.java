/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.report;

import io.charon.sls.policy.Policy;
import io.charon.sls.run.ComparedRun;
import io.charon.sls.run.Estimate;
import io.charon.sls.run.Measure;
import io.charon.sls.run.MemorySample;
import io.charon.sls.run.RunResult;
import io.charon.sls.run.Summary;
import java.awt.Color;
import java.awt.GraphicsEnvironment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws a result: completion rates, distributions of times, memory over time. */
final class Pictures {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 480;
  private static final double GIBIBYTE = 1L << 30;
  private static final double SECONDS_PER_HOUR = 3600;
  private static final float LINE = 2f;

  /** Quantiles of a distribution that are drawn: every percent, and more finely above 95 %. */
  private static final double[] LEVELS =
      DoubleStream.concat(
              IntStream.range(0, 95).mapToDouble(percent -> percent / 100.0),
              IntStream.rangeClosed(0, 50).mapToDouble(thousandth -> 0.95 + thousandth / 1000.0))
          .toArray();

  private static final Map<Policy, Color> COLOURS =
      Map.ofEntries(
          Map.entry(Policy.PRODUCTION_ALONE, new Color(0x888888)),
          Map.entry(Policy.BEST_EFFORT_ALONE, new Color(0xBBBBBB)),
          Map.entry(Policy.STOCK_YARN, new Color(0xE69F00)),
          Map.entry(Policy.THRESHOLD, new Color(0xCC79A7)),
          Map.entry(Policy.THRESHOLD_FAIR, new Color(0xE377C2)),
          Map.entry(Policy.THRESHOLD_LIMIT, new Color(0x9467BD)),
          Map.entry(Policy.CHARON, new Color(0x0072B2)),
          Map.entry(Policy.CHARON_DROP_IN, new Color(0x6BAED6)),
          Map.entry(Policy.CHARON_EVICT_LINE, new Color(0x9EDAE5)),
          Map.entry(Policy.CHARON_EVICT_SATISFACTION, new Color(0x98DF8A)),
          Map.entry(Policy.CHARON_MEMORY_RESERVE, new Color(0xC5B0D5)),
          Map.entry(Policy.CHARON_WATER_LINE, new Color(0xAEC7E8)),
          Map.entry(Policy.CHARON_ANY_PROCESSORS, new Color(0xBCBD22)),
          Map.entry(Policy.CHARON_NO_LIMIT, new Color(0x17BECF)),
          Map.entry(Policy.CHARON_NO_CGROUPS, new Color(0x637939)),
          Map.entry(Policy.CHARON_PROFILED, new Color(0x004C6D)),
          Map.entry(Policy.CHARON_FAIR, new Color(0x2A9D8F)),
          Map.entry(Policy.CHARON_NO_NAMES, new Color(0xF0C808)),
          Map.entry(Policy.CHARON_START_LIMIT, new Color(0x8C564B)),
          Map.entry(Policy.CHARON_GROWTH, new Color(0x8DD3C7)),
          Map.entry(Policy.CHARON_PEAKS, new Color(0x1B9E77)),
          Map.entry(Policy.CHARON_NO_SNAPSHOT, new Color(0x56B4E9)),
          Map.entry(Policy.CHARON_NO_DELAY, new Color(0x009E73)),
          Map.entry(Policy.CHARON_NO_SNAPSHOT_NO_DELAY, new Color(0xA6761D)),
          Map.entry(Policy.CHARON_REQUEST, new Color(0xD55E00)),
          Map.entry(Policy.CHARON_USER_SPACE_KILLER, new Color(0x7A5195)),
          Map.entry(Policy.ORACLE, Color.BLACK));

  private final SimulationResult result;

  Pictures(SimulationResult result) {
    this.result = result;
  }

  /**
   * Returns the reason why pictures cannot be drawn; empty if they can. Java draws text only with a
   * font installed.
   */
  static Optional<String> impediment() {
    String cure = "install one, on Debian: apt-get install fontconfig fonts-dejavu-core";
    try {
      String[] fonts =
          GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames();
      return fonts.length > 0 ? Optional.empty() : Optional.of("no font is installed; " + cure);
    } catch (RuntimeException | LinkageError | InternalError e) {
      // The JDK throws one of these if fontconfig or FreeType finds nothing.
      return Optional.of("no font can be used (" + e + "); " + cure);
    }
  }

  /** Returns all pictures. */
  List<Picture> all() {
    List<Picture> pictures = new ArrayList<>();
    completionRates().ifPresent(pictures::add);
    for (int load : loads()) {
      completionTimes(load).ifPresent(pictures::add);
    }
    for (int load : loads()) {
      slowdowns(load).ifPresent(pictures::add);
    }
    int highest = Collections.max(loads());
    List<Policy> withMemory = policiesWithMemory(highest);
    if (!withMemory.isEmpty()) {
      pictures.add(usedMemory(withMemory, highest));
    }
    for (Policy policy : withMemory) {
      pictures.add(memory(policy, highest));
    }
    return pictures;
  }

  private Optional<Picture> completionRates() {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Best-effort jobs that completed")
            .xAxisTitle("load: number of submissions of each best-effort job")
            .yAxisTitle("completed, share of submitted")
            .build();
    style(chart.getStyler());
    chart.getStyler().setAvailableSpaceFill(0.8);
    chart.getStyler().setYAxisMax(1.0);
    List<Summary> summaries = result.summaries();
    for (Policy policy : policiesWith(Pictures::hasBestEffort)) {
      List<Estimate> rates =
          summaries.stream()
              .filter(summary -> summary.cell().policy().equals(policy.key()))
              .map(summary -> summary.of(Measure.COMPLETION_RATE))
              .toList();
      if (rates.stream().anyMatch(rate -> Double.isNaN(rate.mean()))) {
        // Interrupted before the first submission at some load.
        continue;
      }
      chart
          .addSeries(
              policy.key(),
              loads().stream().map(load -> "X" + load).toList(),
              rates.stream().map(Estimate::mean).toList(),
              rates.stream()
                  .map(rate -> Double.isFinite(rate.halfWidth()) ? rate.halfWidth() : 0)
                  .toList())
          .setFillColor(COLOURS.get(policy));
    }
    return drawn(
        chart.getSeriesMap().isEmpty(),
        new Picture(
            "completion-rate",
            "Share of the submitted best-effort jobs that completed, mean over the seeds; the "
                + "bars are 95 % confidence intervals.",
            chart));
  }

  private Optional<Picture> completionTimes(int load) {
    XYChart chart =
        distribution(
            "Best-effort jobs: completed within, at X" + load,
            "seconds from submission to the end",
            "share of submitted jobs");
    for (Policy policy : policiesWith(Pictures::hasBestEffort)) {
      List<RunResult> runs = runs(policy, load).stream().map(ComparedRun::run).toList();
      int submitted = runs.stream().mapToInt(run -> run.bestEffort().submitted()).sum();
      addDistribution(
          chart,
          policy,
          runs.stream().flatMap(run -> run.bestEffort().times().seconds().boxed()).toList(),
          submitted);
    }
    return drawn(
        chart.getSeriesMap().isEmpty(),
        new Picture(
            "completion-times-x" + load,
            "Share of the submitted best-effort jobs that had completed by the time after "
                + "their submission, all seeds at load X"
                + load
                + ". A line that ends below 1 leaves jobs that failed or were unfinished.",
            chart));
  }

  private Optional<Picture> slowdowns(int load) {
    XYChart chart =
        distribution(
            "Production jobs: slowdown at X" + load,
            "completion time relative to production alone",
            "share of jobs");
    for (Policy policy : policiesWith(run -> run.production().submitted() > 0)) {
      List<Double> slowdowns =
          runs(policy, load).stream().flatMap(run -> run.productionSlowdowns().boxed()).toList();
      addDistribution(chart, policy, slowdowns, slowdowns.size());
    }
    return drawn(
        chart.getSeriesMap().isEmpty(),
        new Picture(
            "production-slowdown-x" + load,
            "How much longer production jobs took than in the run of production alone with the same seed, all seeds at load X"
                + load
                + ".",
            chart));
  }

  /** XChart cannot draw a chart without a series. */
  private static Optional<Picture> drawn(boolean empty, Picture picture) {
    return empty ? Optional.empty() : Optional.of(picture);
  }

  private Picture usedMemory(List<Policy> policies, int load) {
    XYChart chart = overTime("Memory in use over time at X" + load);
    for (Policy policy : policies) {
      addMemory(
          chart,
          policy.key(),
          first(policy, load).memory().samples(),
          MemorySample::usedBytes,
          COLOURS.get(policy));
    }
    addCapacity(chart);
    return new Picture(
        "used-memory-x" + load,
        "Memory in use in the whole cluster, first seed at load X" + load + ".",
        chart);
  }

  private Picture memory(Policy policy, int load) {
    XYChart chart = overTime("Memory allocated and used: " + policy.key() + " at X" + load);
    List<MemorySample> samples = first(policy, load).memory().samples();
    Color best = COLOURS.get(Policy.CHARON);
    Color production = COLOURS.get(Policy.STOCK_YARN);
    addMemory(chart, "allocated", samples, MemorySample::allocatedBytes, best)
        .setLineStyle(SeriesLines.DASH_DASH);
    addMemory(chart, "used", samples, MemorySample::usedBytes, best);
    addMemory(
            chart,
            "production allocated",
            samples,
            MemorySample::productionAllocatedBytes,
            production)
        .setLineStyle(SeriesLines.DASH_DASH);
    addMemory(chart, "production used", samples, MemorySample::productionUsedBytes, production);
    addCapacity(chart);
    return new Picture(
        "memory-" + policy.key() + "-x" + load,
        "Memory that running tasks requested and used, in total and by production, first "
            + "seed at load X"
            + load
            + ".",
        chart);
  }

  private static XYChart distribution(String title, String x, String y) {
    XYChart chart = chart(title, x, y);
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setYAxisMax(1.0);
    return chart;
  }

  private static XYChart overTime(String title) {
    return chart(title, "virtual hours", "GiB");
  }

  private static XYChart chart(String title, String x, String y) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    style(chart.getStyler());
    return chart;
  }

  private static void style(AxesChartStyler styler) {
    styler.setLegendPosition(LegendPosition.OutsideE);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setYAxisMin(0.0);
  }

  /** Adds the distribution of a policy, unless it has no values. */
  private static void addDistribution(
      XYChart chart, Policy policy, List<Double> values, int outOf) {
    if (values.isEmpty()) {
      return;
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double[] x = new double[LEVELS.length];
    double[] y = new double[LEVELS.length];
    for (int i = 0; i < LEVELS.length; i++) {
      int rank = Math.max(1, (int) Math.ceil(LEVELS[i] * sorted.length));
      // A logarithmic axis has no zero.
      x[i] = Math.max(1e-3, sorted[rank - 1]);
      y[i] = LEVELS[i] * sorted.length / outOf;
    }
    line(chart.addSeries(policy.key(), x, y), COLOURS.get(policy));
  }

  private static XYSeries addMemory(
      XYChart chart,
      String name,
      List<MemorySample> samples,
      ToDoubleFunction<MemorySample> bytes,
      Color colour) {
    List<Double> hours = new ArrayList<>();
    List<Double> gibibytes = new ArrayList<>();
    double from = 0;
    for (MemorySample sample : samples) {
      double to = sample.seconds() / SECONDS_PER_HOUR;
      // An average covers its whole interval.
      hours.addAll(List.of(from, to));
      gibibytes.addAll(Collections.nCopies(2, bytes.applyAsDouble(sample) / GIBIBYTE));
      from = to;
    }
    return line(chart.addSeries(name, hours, gibibytes), colour);
  }

  private void addCapacity(XYChart chart) {
    double end =
        chart.getSeriesMap().values().stream().mapToDouble(XYSeries::getXMax).max().orElse(0);
    double capacity = result.context().cluster().nodes().memoryBytes() / GIBIBYTE;
    line(
        chart.addSeries("capacity", new double[] {0, end}, new double[] {capacity, capacity}),
        Color.BLACK);
  }

  private static XYSeries line(XYSeries series, Color colour) {
    series
        .setMarker(SeriesMarkers.NONE)
        .setLineStyle(SeriesLines.SOLID)
        .setLineColor(colour)
        .setLineWidth(LINE);
    return series;
  }

  private List<Integer> loads() {
    return result.runs().stream().map(run -> run.run().settings().load()).distinct().toList();
  }

  private List<Policy> policiesWith(Predicate<RunResult> wanted) {
    return result.runs().stream()
        .map(ComparedRun::run)
        .filter(wanted)
        .map(run -> run.settings().policy())
        .distinct()
        .toList();
  }

  /** A run that was interrupted at once has no samples. */
  private List<Policy> policiesWithMemory(int load) {
    return policiesWith(run -> run.settings().load() == load).stream()
        .filter(policy -> !first(policy, load).memory().samples().isEmpty())
        .toList();
  }

  private static boolean hasBestEffort(RunResult run) {
    return run.bestEffort().submitted() > 0;
  }

  private List<ComparedRun> runs(Policy policy, int load) {
    return result.runs().stream()
        .filter(run -> run.run().settings().policy() == policy)
        .filter(run -> run.run().settings().load() == load)
        .toList();
  }

  private RunResult first(Policy policy, int load) {
    return runs(policy, load).get(0).run();
  }
}
