/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import io.charon.core.law.RegulatedLimit;
import io.charon.core.law.eviction.Eviction;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.MechanismReport.Quantity;
import io.charon.nodemanager.report.metrics.Metric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.util.Optional;

/** What a mechanism reports, as metrics; no number while it has not decided. */
public final class MechanismGauges {
  private MechanismGauges() {}

  /** Adds the metrics of those quantities of a mechanism for which {@link Metric} has one. */
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

  /** A mechanism's name as a label's value, which goes into names that know no hyphen. */
  public static String label(String mechanism) {
    return mechanism.replace('-', '_');
  }

  private static Optional<Metric> metric(Quantity quantity) {
    return switch (quantity.name()) {
      case MechanismReport.LIMIT ->
          of(quantity, Metric.LIMIT_BYTES, Metric.LIMIT_CORES, Metric.LIMIT_TRAFFIC);
      case MechanismReport.MEAN ->
          quantity.unit().equals("ratio")
              ? Optional.of(Metric.MEAN_RATIO)
              : of(quantity, Metric.MEAN_BYTES, Metric.MEAN_CORES, Metric.MEAN_TRAFFIC);
      case MechanismReport.DEVIATION ->
          Optional.of(
              switch (quantity.unit()) {
                case "bytes" -> Metric.DEVIATION_BYTES;
                case "ratio" -> Metric.DEVIATION_RATIO;
                default -> Metric.DEVIATION_TRAFFIC;
              });
      case Eviction.UNMET ->
          Optional.of(quantity.unit().equals("bytes") ? Metric.UNMET_BYTES : Metric.UNMET_CORES);
      case RegulatedLimit.PINNED -> Optional.of(Metric.PINNED_CORES);
      default -> Optional.empty();
    };
  }

  private static Optional<Metric> of(
      Quantity quantity, Metric bytes, Metric cores, Metric traffic) {
    return Optional.of(
        switch (quantity.unit()) {
          case "bytes" -> bytes;
          case "cores" -> cores;
          default -> traffic;
        });
  }
}
