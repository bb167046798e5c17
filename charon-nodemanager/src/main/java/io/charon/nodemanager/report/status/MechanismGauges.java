/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.nodemanager.report.metrics.MechanismMetric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Publishes the quantities that a mechanism reports as metrics; they have no value before its first
 * decision.
 */
public final class MechanismGauges {
  private MechanismGauges() {}

  /**
   * Adds the metrics of those quantities of a mechanism for which {@link MechanismMetric} defines a
   * name.
   */
  public static void show(Mechanism mechanism, NodeMetrics metrics) {
    for (Quantity quantity : mechanism.report().quantities()) {
      metric(quantity)
          .ifPresent(
              metric ->
                  metrics.decimal(
                      metric,
                      label(mechanism.name()),
                      () -> mechanism.report().value(quantity.name()).orElse(Double.NaN)));
    }
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
