/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import io.charon.evaluation.statistics.Percentiles;
import io.charon.sls.burst.QuotaVariant;
import java.util.List;

/**
 * Measurements of one variant in one repetition at one load.
 *
 * @param load requested mean use of the pool, as a share of all quotas
 * @param variant the variant
 * @param again whether this is the second measurement, which shows the noise of the variant itself
 * @param lateMillis for each application, the delays of its bursts relative to their end on a
 *     processor of their own
 * @param meanUse mean use of the pool, as a share of all quotas
 * @param highestUse highest use over half a second, in the same unit
 * @param throttledApplications share of the applications that their quota throttled
 * @param throttledPeriods share of the periods in which it did; 0 without a quota
 */
public record BurstCell(
    double load,
    QuotaVariant variant,
    boolean again,
    List<List<Double>> lateMillis,
    double meanUse,
    double highestUse,
    double throttledApplications,
    double throttledPeriods) {
  private static final String AGAIN = " again";

  /** Copies the lists. */
  public BurstCell {
    lateMillis = lateMillis.stream().map(List::copyOf).toList();
  }

  String label() {
    return variant.label() + (again ? AGAIN : "");
  }

  private List<Double> all() {
    return lateMillis.stream().flatMap(List::stream).toList();
  }

  int bursts() {
    return all().size();
  }

  double meanMillis() {
    return all().stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  double p95Millis() {
    return Percentiles.of(all(), 95).orElse(Double.NaN);
  }

  /** Returns the mean over the applications of their longest delay. */
  double meanOfHighestMillis() {
    return lateMillis.stream()
        .filter(late -> !late.isEmpty())
        .mapToDouble(late -> late.stream().mapToDouble(Double::doubleValue).max().orElseThrow())
        .average()
        .orElse(Double.NaN);
  }
}
