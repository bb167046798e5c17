/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.statistics.Fluctuation;
import io.charon.evaluation.statistics.Percentiles;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * One mode of a scenario relative to the foreground, or the background, alone. Ratios are medians
 * over the repetitions.
 *
 * @param mode the mode
 * @param runs its runs, one for each repetition
 * @param p95 ratio of the foreground's p95 latency
 * @param p99 ratio of the foreground's p99 latency
 * @param mean ratio of the foreground's mean latency
 * @param throughput ratio of the foreground's throughput
 * @param background ratio of the background's work
 */
record ModeSummary(
    ColocationMode mode,
    List<RunMeasurement> runs,
    OptionalDouble p95,
    OptionalDouble p99,
    OptionalDouble mean,
    OptionalDouble throughput,
    OptionalDouble background) {
  ModeSummary {
    runs = List.copyOf(runs);
  }

  /** Returns the median over the runs of a percentile of the latency, in milliseconds. */
  OptionalDouble percentileMillis(double percent) {
    return Percentiles.median(
        runs.stream()
            .flatMapToDouble(run -> run.foreground().percentileMillis(percent).stream())
            .boxed()
            .toList());
  }

  /** Returns the median over the runs of the mean fluctuation of the 99th percentile. */
  OptionalDouble fluctuation() {
    return medianOf(Fluctuation::mean);
  }

  /** Returns the median over the runs of the 95th percentile of that fluctuation. */
  OptionalDouble highFluctuation() {
    return medianOf(Fluctuation::high);
  }

  private OptionalDouble medianOf(Function<Fluctuation, OptionalDouble> measure) {
    return Percentiles.median(
        runs.stream()
            .flatMapToDouble(run -> measure.apply(run.foreground().fluctuation()).stream())
            .boxed()
            .toList());
  }

  /** Returns the median share of the resource that was in use. */
  double utilization() {
    return Percentiles.median(runs.stream().map(RunMeasurement::utilization).toList())
        .orElseThrow();
  }

  /** Returns the maximum number of violations in one run. */
  int maximumViolations() {
    return runs.stream().mapToInt(run -> run.agent().violations()).max().orElseThrow();
  }

  /**
   * Returns the maximum CPU use of the regulators in one run, in percent of one CPU; 0 without any.
   */
  double agentCpuPercent() {
    return runs.stream().flatMapToDouble(run -> run.agent().cpuPercent().stream()).max().orElse(0);
  }

  /** Returns the number of best-effort containers that were killed in all runs. */
  int kills() {
    return runs.stream().mapToInt(run -> run.agent().kills()).sum();
  }

  /** Returns the number of measured answers of all runs. */
  int samples() {
    return runs.stream().mapToInt(run -> run.foreground().answered().size()).sum();
  }

  /** Returns the number of measured requests of all runs that failed. */
  int failed() {
    return runs.stream().mapToInt(run -> run.foreground().failed().size()).sum();
  }
}
