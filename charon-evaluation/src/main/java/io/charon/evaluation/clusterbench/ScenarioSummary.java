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
 * All runs of one kind of production in one mode at one load. Ratios are to production alone in the
 * same repetition, medians over the repetitions; a ratio that does not apply is empty.
 *
 * @param production what production did
 * @param mode who decided on best-effort
 * @param load how often each best-effort submission was repeated; 0 without best-effort jobs
 * @param runs in the order of the repetitions, at least one
 * @param productionP50 of the durations of tasks or steps
 * @param productionP90 of the durations of tasks or steps
 * @param throughput of the service
 * @param serviceP50 of its latency
 * @param serviceP99 of its latency
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

  /** Completed of submitted, 0 to 1; empty without best-effort jobs. */
  OptionalDouble completionRate() {
    return submitted() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) completed() / submitted());
  }

  /** Percentile of the completion times of all runs, seconds. */
  OptionalDouble completionSeconds(double percent) {
    return Percentiles.of(
        runs.stream().flatMap(run -> run.completionSeconds().stream()).toList(), percent);
  }

  /** Of all runs. */
  long sum(ToLongFunction<RunMeasurement> count) {
    return runs.stream().mapToLong(count).sum();
  }

  double lostWorkSeconds() {
    return runs.stream().mapToDouble(RunMeasurement::lostWorkSeconds).sum();
  }

  /** Median of a value that each run has; empty if one has none. */
  OptionalDouble median(ToDoubleFunction<RunMeasurement> value) {
    List<Double> values = runs.stream().map(value::applyAsDouble).toList();
    return values.contains(Double.NaN) ? OptionalDouble.empty() : Percentiles.median(values);
  }
}
