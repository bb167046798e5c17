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
 * One mode of a scenario against the foreground, or the background, alone. Ratios are medians over
 * the repetitions.
 *
 * @param mode which one
 * @param runs of it, one for each repetition
 * @param p95 of the foreground's latency
 * @param p99 of the foreground's latency
 * @param mean of the foreground's latency
 * @param throughput of the foreground
 * @param background work
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

  /** Median of the runs' latency at a percentile, milliseconds. */
  OptionalDouble percentileMillis(double percent) {
    return Percentiles.median(
        runs.stream()
            .flatMapToDouble(run -> run.foreground().percentileMillis(percent).stream())
            .boxed()
            .toList());
  }

  /** Median of the runs' mean fluctuation of the 99th percentile. */
  OptionalDouble fluctuation() {
    return medianOf(Fluctuation::mean);
  }

  /** Median of the 95th percentiles of the same. */
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

  /** Median share of the resource that was in use. */
  double utilization() {
    return Percentiles.median(runs.stream().map(RunMeasurement::utilization).toList())
        .orElseThrow();
  }

  /** Most violations of one run. */
  int maximumViolations() {
    return runs.stream().mapToInt(RunMeasurement::violations).max().orElseThrow();
  }

  /** Most CPU that the regulators took in one run, percent of one CPU. */
  double agentCpuPercent() {
    return runs.stream().flatMapToDouble(run -> run.agentCpuPercent().stream()).max().orElse(0);
  }

  /** Best-effort containers that the memory regulator killed, of all runs. */
  int kills() {
    return runs.stream().mapToInt(RunMeasurement::kills).sum();
  }

  /** Answers that were measured, of all runs. */
  int samples() {
    return runs.stream().mapToInt(run -> run.foreground().answered().size()).sum();
  }

  /** Requests that failed, of all runs. */
  int failed() {
    return runs.stream().mapToInt(run -> run.foreground().failed()).sum();
  }
}
