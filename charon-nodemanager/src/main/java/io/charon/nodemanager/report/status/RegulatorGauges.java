/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.core.law.CoreChoice;
import io.charon.core.law.Decision;
import io.charon.core.law.NormalRange;
import io.charon.nodemanager.execution.NodeRegulator;
import io.charon.nodemanager.execution.Resource;
import io.charon.nodemanager.report.metrics.Metric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.util.OptionalDouble;
import java.util.function.Function;

/** What a regulator decided last, as metrics; no number while it has not decided. */
public final class RegulatorGauges {
  private final NodeRegulator regulator;
  private final NodeMetrics metrics;

  private RegulatorGauges(NodeRegulator regulator, NodeMetrics metrics) {
    this.regulator = regulator;
    this.metrics = metrics;
  }

  /**
   * Adds the metrics of one regulator.
   *
   * @throws IllegalArgumentException if its unit is none that {@link Metric} knows
   */
  public static void show(NodeRegulator regulator, NodeMetrics metrics) {
    RegulatorGauges gauges = new RegulatorGauges(regulator, metrics);
    Resource resource = regulator.resource();
    gauges.add(limit(resource.limitUnit()), decision -> OptionalDouble.of(decision.limit()));
    if (resource.name().equals(Resource.CORES)) {
      gauges.add(Metric.PINNED_CORES, RegulatorGauges::pinned);
      gauges.add(Metric.MEAN_CORES, RegulatorGauges::meanLoad);
      return;
    }
    gauges.add(mean(resource.signalUnit()), range(NormalRange::mean));
    gauges.add(deviation(resource.signalUnit()), range(NormalRange::standardDeviation));
  }

  private void add(Metric metric, Function<Decision, OptionalDouble> value) {
    metrics.decimal(
        metric,
        regulator.resource().name(),
        () ->
            regulator
                .state()
                .decision()
                .map(value)
                .orElse(OptionalDouble.empty())
                .orElse(Double.NaN));
  }

  private static Metric limit(String unit) {
    return switch (unit) {
      case "bytes" -> Metric.LIMIT_BYTES;
      case "cores" -> Metric.LIMIT_CORES;
      case "bytes_per_second" -> Metric.LIMIT_TRAFFIC;
      default -> throw unknown(unit);
    };
  }

  private static Metric mean(String unit) {
    return switch (unit) {
      case "bytes" -> Metric.MEAN_BYTES;
      case "ratio" -> Metric.MEAN_RATIO;
      case "bytes_per_second" -> Metric.MEAN_TRAFFIC;
      default -> throw unknown(unit);
    };
  }

  private static Metric deviation(String unit) {
    return switch (unit) {
      case "bytes" -> Metric.DEVIATION_BYTES;
      case "ratio" -> Metric.DEVIATION_RATIO;
      case "bytes_per_second" -> Metric.DEVIATION_TRAFFIC;
      default -> throw unknown(unit);
    };
  }

  private static IllegalArgumentException unknown(String unit) {
    return new IllegalArgumentException("no metric of a regulator has the unit " + unit);
  }

  private static Function<Decision, OptionalDouble> range(Function<NormalRange, Double> value) {
    return decision ->
        decision
            .range()
            .map(known -> OptionalDouble.of(value.apply(known)))
            .orElse(OptionalDouble.empty());
  }

  private static OptionalDouble pinned(Decision decision) {
    return decision
        .cores()
        .map(choice -> OptionalDouble.of(choice.pinned().count()))
        .orElse(OptionalDouble.empty());
  }

  private static OptionalDouble meanLoad(Decision decision) {
    return decision.cores().map(CoreChoice::meanLoad).orElse(OptionalDouble.empty());
  }
}
