/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.report.metrics.MechanismMetric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Publishes the quantities that mechanisms report as metrics, with the values that the status has:
 * none before the first decision, and none of what is outdated.
 */
public final class MechanismGauges {
  private MechanismGauges() {}

  /**
   * Adds the metrics of those quantities of the mechanisms that are on for which {@link
   * MechanismMetric} defines a name.
   */
  public static void show(MechanismRunner runner, NodeMetrics metrics) {
    runner.states().stream()
        .filter(state -> state.mode() != RegulatorMode.OFF)
        .forEach(state -> show(state, runner, metrics));
  }

  private static void show(
      MechanismRunner.State mechanism, MechanismRunner runner, NodeMetrics metrics) {
    for (Quantity quantity : mechanism.report().quantities()) {
      metric(quantity)
          .ifPresent(
              metric ->
                  metrics.decimal(
                      metric,
                      label(mechanism.name()),
                      () -> value(runner, mechanism.name(), quantity.name())));
    }
  }

  private static double value(MechanismRunner runner, String mechanism, String quantity) {
    return runner.states().stream()
        .filter(state -> state.name().equals(mechanism))
        .flatMapToDouble(state -> state.value(quantity).stream())
        .findFirst()
        .orElse(Double.NaN);
  }

  /**
   * Returns the metric of a quantity, such as charon_regulator_standard_deviation_bytes for
   * standardDeviation in bytes.
   */
  private static Optional<MechanismMetric> metric(Quantity quantity) {
    String words = quantity.name().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    String name = "charon_regulator_%s_%s".formatted(words, quantity.unit());
    return Arrays.stream(MechanismMetric.values())
        .filter(metric -> metric.prometheusName().equals(name))
        .findFirst();
  }

  /** Returns a mechanism's name as a label value, for metric names that do not allow hyphens. */
  public static String label(String mechanism) {
    return mechanism.replace('-', '_');
  }
}
