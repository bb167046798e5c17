/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.statistics.RatioEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * The measurements of one scenario.
 *
 * @param name name of the scenario
 * @param setting description of the programs and their places
 * @param times durations of the runs
 * @param modes modes in the order of the table
 * @param runs all runs
 */
record ScenarioResult(
    String name,
    String setting,
    ColocationTimes times,
    List<ColocationMode> modes,
    List<RunMeasurement> runs) {
  ScenarioResult {
    modes = List.copyOf(modes);
    runs = List.copyOf(runs);
  }

  /** Returns every mode relative to the foreground or the background alone. */
  List<ModeSummary> summaries() {
    return modes.stream().map(this::summary).toList();
  }

  /**
   * Returns the difference in p95 of two identical runs alone: the distance from 1 of the farther
   * end of the 95 % interval of their ratio.
   */
  double aaSpread() {
    return spread(run -> percentile(run, 95));
  }

  /** Returns the difference in mean latency, computed like {@link #aaSpread}. */
  double aaSpreadOfMean() {
    return spread(ScenarioResult::mean);
  }

  /** Returns the difference in p99, computed like {@link #aaSpread}. */
  double aaSpreadOfTail() {
    return spread(run -> percentile(run, 99));
  }

  /**
   * Returns the share of what the foreground alone leaves unused of the resource that is used in a
   * mode with both sides; empty for other modes, or if nothing is left.
   */
  OptionalDouble spareUsed(ModeSummary summary) {
    double alone =
        (summary(ColocationMode.ALONE).utilization()
                + summary(ColocationMode.ALONE_AGAIN).utilization())
            / 2;
    return summary.mode().hasForeground() && summary.mode().hasBackground() && alone < 1
        ? OptionalDouble.of((summary.utilization() - alone) / (1 - alone))
        : OptionalDouble.empty();
  }

  private double spread(ToDoubleFunction<RunMeasurement> value) {
    RatioEstimate ratio =
        RatioEstimate.of(
            values(ColocationMode.ALONE_AGAIN, value), values(ColocationMode.ALONE, value));
    return Math.max(Math.abs(ratio.low95() - 1), Math.abs(ratio.high95() - 1));
  }

  private ModeSummary summary(ColocationMode mode) {
    List<RunMeasurement> own = runsOf(mode);
    return new ModeSummary(
        mode,
        own,
        foregroundRatio(mode, run -> percentile(run, 95)),
        foregroundRatio(mode, run -> percentile(run, 99)),
        foregroundRatio(mode, ScenarioResult::mean),
        foregroundRatio(mode, RunMeasurement::answersPerSecond),
        mode.hasBackground()
            ? OptionalDouble.of(
                RatioEstimate.of(
                        values(mode, RunMeasurement::backgroundPerSecond),
                        values(
                            ColocationMode.BACKGROUND_ALONE, RunMeasurement::backgroundPerSecond))
                    .ratio())
            : OptionalDouble.empty());
  }

  /**
   * Returns the median ratio over the repetitions, relative to the mean of the repetition's two
   * runs alone.
   */
  private OptionalDouble foregroundRatio(
      ColocationMode mode, ToDoubleFunction<RunMeasurement> value) {
    if (!mode.hasForeground()) {
      return OptionalDouble.empty();
    }
    List<Double> first = values(ColocationMode.ALONE, value);
    List<Double> second = values(ColocationMode.ALONE_AGAIN, value);
    List<Double> alone = new ArrayList<>();
    for (int i = 0; i < first.size(); i++) {
      alone.add((first.get(i) + second.get(i)) / 2);
    }
    double ratio = RatioEstimate.of(values(mode, value), alone).ratio();
    return Double.isNaN(ratio) ? OptionalDouble.empty() : OptionalDouble.of(ratio);
  }

  private List<Double> values(ColocationMode mode, ToDoubleFunction<RunMeasurement> value) {
    return runsOf(mode).stream().map(value::applyAsDouble).toList();
  }

  private List<RunMeasurement> runsOf(ColocationMode mode) {
    return runs.stream()
        .filter(run -> run.mode().equals(mode.name()))
        .sorted((a, b) -> Integer.compare(a.repetition(), b.repetition()))
        .toList();
  }

  private static double percentile(RunMeasurement run, double percent) {
    return run.foreground().percentileMillis(percent).orElse(Double.NaN);
  }

  private static double mean(RunMeasurement run) {
    return run.foreground().meanMillis().orElse(Double.NaN);
  }
}
