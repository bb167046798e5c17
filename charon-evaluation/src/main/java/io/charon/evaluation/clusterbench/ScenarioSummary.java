/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Summarizes all runs of one kind of production in one mode at one load. Ratios are relative to
 * production alone in the same repetition, as medians over the repetitions; a ratio that does not
 * apply is empty.
 *
 * @param production kind of production
 * @param mode policy for best-effort
 * @param load number of copies of each best-effort submission; 0 without best-effort jobs
 * @param runs the runs in the order of the repetitions, at least one
 * @param productionP50 ratio of the median duration of tasks or steps
 * @param productionP90 ratio of the 90th percentile of the durations of tasks or steps
 * @param throughput ratio of the service's throughput
 * @param serviceP50 ratio of the service's median latency
 * @param serviceP99 ratio of the 99th percentile of the service's latency
 */
record ScenarioSummary(
    ProductionKind production,
    ClusterMode mode,
    int load,
    List<RunMeasurement> runs,
    OptionalDouble productionP50,
    OptionalDouble productionP90,
    OptionalDouble throughput,
    OptionalDouble serviceP50,
    OptionalDouble serviceP99) {
  ScenarioSummary {
    runs = List.copyOf(runs);
  }

  int submitted() {
    return runs.stream().mapToInt(RunMeasurement::submitted).sum();
  }

  int completed() {
    return runs.stream().mapToInt(run -> run.completionSeconds().size()).sum();
  }

  /** Returns the share of submitted jobs that completed, 0 to 1; empty without best-effort jobs. */
  OptionalDouble completionRate() {
    return submitted() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) completed() / submitted());
  }

  /** Returns the percentile of the completion times of all runs, seconds. */
  OptionalDouble completionSeconds(double percent) {
    return Percentiles.of(
        runs.stream().flatMap(run -> run.completionSeconds().stream()).toList(), percent);
  }

  /** Returns the sum of a count over all runs. */
  long sum(ToLongFunction<RunMeasurement> count) {
    return runs.stream().mapToLong(count).sum();
  }

  double lostWorkSeconds() {
    return runs.stream().mapToDouble(RunMeasurement::lostWorkSeconds).sum();
  }

  /** Returns the median of a value over the runs; empty if a run does not have it. */
  OptionalDouble median(ToDoubleFunction<RunMeasurement> value) {
    List<Double> values = runs.stream().map(value::applyAsDouble).toList();
    return values.contains(Double.NaN) ? OptionalDouble.empty() : Percentiles.median(values);
  }
}
