/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.clusterbench.ProductionComparison.ProductionRatios;
import io.charon.evaluation.statistics.Percentiles;
import io.charon.evaluation.statistics.RatioEstimate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Summarizes all runs of one kind of production in one mode at one load.
 *
 * @param production kind of production
 * @param mode policy for best-effort
 * @param load number of copies of each best-effort submission; 0 without best-effort jobs
 * @param runs the runs in the order of the repetitions, at least one
 * @param ratios production relative to production alone
 * @param latencyP99VsStockYarn 99th percentile of the service's latency relative to that beside
 *     stock YARN's best-effort at the same load; empty without a service or without that mode
 */
record ClusterScenarioSummary(
    ProductionKind production,
    ClusterMode mode,
    int load,
    List<ClusterRunMeasurement> runs,
    ProductionRatios ratios,
    Optional<RatioEstimate> latencyP99VsStockYarn) {
  ClusterScenarioSummary {
    runs = List.copyOf(runs);
  }

  int submitted() {
    return runs.stream().mapToInt(run -> run.bestEffort().submitted()).sum();
  }

  int completed() {
    return runs.stream()
        .mapToInt(run -> run.bestEffort().outcome().completionSeconds().size())
        .sum();
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
        runs.stream()
            .flatMap(run -> run.bestEffort().outcome().completionSeconds().stream())
            .toList(),
        percent);
  }

  /** Returns the sum of a count of best-effort over all runs. */
  long sum(ToLongFunction<BestEffortMeasurement> count) {
    return runs.stream().map(ClusterRunMeasurement::bestEffort).mapToLong(count).sum();
  }

  /** Returns the number of values from which production's percentiles are computed. */
  long productionSamples() {
    return runs.stream()
        .mapToLong(
            run ->
                run.service()
                    .map(service -> service.transactions().size())
                    .orElse(run.productionSeconds().size()))
        .sum();
  }

  double lostWorkSeconds() {
    return runs.stream().mapToDouble(run -> run.bestEffort().outcome().lostWorkSeconds()).sum();
  }

  /** Returns the median of a value over the runs; empty if a run does not have it. */
  OptionalDouble median(ToDoubleFunction<ClusterRunMeasurement> value) {
    List<Double> values = runs.stream().map(value::applyAsDouble).toList();
    return values.contains(Double.NaN) ? OptionalDouble.empty() : Percentiles.median(values);
  }
}
