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
 * What a variant cost in one repetition at one load.
 *
 * @param load mean use of the pool that was asked for, a share of all quotas
 * @param variant which one
 * @param again whether it is the second time, to see how far a variant differs from itself
 * @param lateMillis of each application, by how much each of its bursts ended later than with a
 *     processor of its own
 * @param meanUse mean use of the pool, a share of all quotas
 * @param highestUse highest use over half a second, in the same unit
 * @param throttledApplications share of the applications that their quota kept from running
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

  /** Mean of the applications' longest. */
  double meanOfHighestMillis() {
    return lateMillis.stream()
        .filter(late -> !late.isEmpty())
        .mapToDouble(late -> late.stream().mapToDouble(Double::doubleValue).max().orElseThrow())
        .average()
        .orElse(Double.NaN);
  }
}
