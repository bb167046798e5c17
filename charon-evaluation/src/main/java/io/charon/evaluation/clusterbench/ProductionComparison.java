/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.statistics.BlockBootstrap;
import io.charon.evaluation.statistics.Percentiles;
import io.charon.evaluation.statistics.RatioEstimate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Compares the runs of one kind of production with those of production alone. */
final class ProductionComparison {
  /** Longer than the start of a container, which delays the requests of a second or two. */
  private static final Duration LATENCY_BLOCK = Duration.ofSeconds(5);

  /**
   * What production measured in one mode at one load, relative to production alone in the same
   * repetition, as medians over the repetitions; a ratio that does not apply is empty.
   *
   * @param p50 ratio of the median duration of tasks or steps
   * @param p90 ratio of the 90th percentile of the durations of tasks or steps
   * @param throughput ratio of the service's throughput
   * @param latencyP50 ratio of the service's median latency
   * @param latencyP99 ratio of the 99th percentile of the service's latency
   */
  record ProductionRatios(
      OptionalDouble p50,
      OptionalDouble p90,
      OptionalDouble throughput,
      OptionalDouble latencyP50,
      OptionalDouble latencyP99) {}

  private final ProductionKind production;
  private final List<ClusterRunMeasurement> runs;

  /**
   * Creates a comparison.
   *
   * @param all runs of any kind of production
   */
  ProductionComparison(ProductionKind production, List<ClusterRunMeasurement> all) {
    this.production = production;
    this.runs =
        all.stream()
            .filter(run -> run.run().production() == production)
            .sorted(Comparator.comparingInt(run -> run.run().repetition()))
            .toList();
  }

  ProductionKind production() {
    return production;
  }

  /** Returns whether any run had best-effort jobs. */
  boolean hasBestEffort() {
    return runs.stream().anyMatch(run -> run.run().mode().runsBestEffort());
  }

  /** Returns whether the production job failed in a run without best-effort jobs. */
  boolean aloneFailed() {
    return runs.stream()
        .filter(run -> !run.run().mode().runsBestEffort())
        .anyMatch(ClusterRunMeasurement::productionFailed);
  }

  /**
   * Returns a summary for each mode and load: production alone, then the loads, then production
   * alone again.
   */
  List<ClusterScenarioSummary> summaries() {
    return runs.stream()
        .map(run -> new PlannedRun(production, run.run().mode(), run.run().load(), 0))
        .distinct()
        .sorted(
            Comparator.comparing((PlannedRun run) -> run.mode() == ClusterMode.ALONE_AGAIN)
                .thenComparingInt(PlannedRun::load)
                .thenComparing(PlannedRun::mode))
        .map(run -> summary(run.mode(), run.load()))
        .toList();
  }

  /**
   * Returns the difference between the two runs of production alone in the value of the first
   * target: the throughput of a service, otherwise the 90th percentile of production's durations.
   * The result is the larger distance from 1 of the ends of the 95 % interval of their ratio; with
   * one repetition, the distance of the ratio itself.
   */
  OptionalDouble aaSpread() {
    return spread(
        production == ProductionKind.SERVICE
            ? ClusterRunMeasurement::throughput
            : run -> run.productionPercentile(90));
  }

  /** Returns the same as {@link #aaSpread} for the 99th percentile of a service's latency. */
  OptionalDouble aaSpreadOfServiceP99() {
    return spread(run -> run.latencyMillis(99));
  }

  private OptionalDouble spread(ToDoubleFunction<ClusterRunMeasurement> value) {
    SortedMap<Integer, Double> again = values(ClusterMode.ALONE_AGAIN, 0, value);
    SortedMap<Integer, Double> alone = values(ClusterMode.ALONE, 0, value);
    again.keySet().retainAll(alone.keySet());
    alone.keySet().retainAll(again.keySet());
    if (alone.isEmpty()) {
      return OptionalDouble.empty();
    }
    RatioEstimate ratio =
        RatioEstimate.of(List.copyOf(again.values()), List.copyOf(alone.values()));
    return OptionalDouble.of(Math.max(Math.abs(ratio.low95() - 1), Math.abs(ratio.high95() - 1)));
  }

  private ClusterScenarioSummary summary(ClusterMode mode, int load) {
    return new ClusterScenarioSummary(
        production,
        mode,
        load,
        runsOf(mode, load),
        new ProductionRatios(
            ratio(mode, load, run -> run.productionPercentile(50)),
            ratio(mode, load, run -> run.productionPercentile(90)),
            ratio(mode, load, ClusterRunMeasurement::throughput),
            ratio(mode, load, run -> run.latencyMillis(50)),
            ratio(mode, load, run -> run.latencyMillis(99))),
        mode == ClusterMode.STOCK_YARN ? Optional.empty() : latencyP99VsStockYarn(mode, load));
  }

  private Optional<RatioEstimate> latencyP99VsStockYarn(ClusterMode mode, int load) {
    SortedMap<Integer, List<List<Double>>> own = latencyBlocks(mode, load);
    SortedMap<Integer, List<List<Double>>> stockYarn = latencyBlocks(ClusterMode.STOCK_YARN, load);
    own.keySet().retainAll(stockYarn.keySet());
    stockYarn.keySet().retainAll(own.keySet());
    return own.isEmpty()
        ? Optional.empty()
        : Optional.of(
            BlockBootstrap.percentileRatio(
                List.copyOf(own.values()), List.copyOf(stockYarn.values()), 99));
  }

  /** Returns the latencies of each repetition that has any, by its number. */
  private SortedMap<Integer, List<List<Double>>> latencyBlocks(ClusterMode mode, int load) {
    SortedMap<Integer, List<List<Double>>> blocks = new TreeMap<>();
    for (ClusterRunMeasurement run : runsOf(mode, load)) {
      run.service()
          .map(service -> List.copyOf(service.blocks(LATENCY_BLOCK)))
          .filter(each -> !each.isEmpty())
          .ifPresent(each -> blocks.put(run.run().repetition(), each));
    }
    return blocks;
  }

  /**
   * Returns the median of the ratio to the mean of both runs of production alone over the
   * repetitions in which all three have the value.
   */
  private OptionalDouble ratio(
      ClusterMode mode, int load, ToDoubleFunction<ClusterRunMeasurement> value) {
    SortedMap<Integer, Double> first = values(ClusterMode.ALONE, 0, value);
    SortedMap<Integer, Double> second = values(ClusterMode.ALONE_AGAIN, 0, value);
    SortedMap<Integer, Double> own = values(mode, load, value);
    own.keySet().retainAll(first.keySet());
    own.keySet().retainAll(second.keySet());
    List<Double> ratios = new ArrayList<>();
    own.forEach(
        (repetition, measured) ->
            ratios.add(measured * 2 / (first.get(repetition) + second.get(repetition))));
    return Percentiles.median(ratios);
  }

  /** Returns the value of each repetition that has it, by its number. */
  private SortedMap<Integer, Double> values(
      ClusterMode mode, int load, ToDoubleFunction<ClusterRunMeasurement> value) {
    SortedMap<Integer, Double> values = new TreeMap<>();
    for (ClusterRunMeasurement run : runsOf(mode, load)) {
      double measured = value.applyAsDouble(run);
      if (!Double.isNaN(measured)) {
        values.put(run.run().repetition(), measured);
      }
    }
    return values;
  }

  private List<ClusterRunMeasurement> runsOf(ClusterMode mode, int load) {
    return runs.stream()
        .filter(run -> run.run().mode() == mode && run.run().load() == load)
        .toList();
  }
}
