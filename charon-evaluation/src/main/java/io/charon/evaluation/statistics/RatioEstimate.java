/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.statistics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;

/**
 * A measured ratio of one thing to a reference, with a 95 % interval by the bootstrap (Efron and
 * Tibshirani 1993, percentile method).
 *
 * @param ratio the estimate
 * @param low95 lower end of the interval
 * @param high95 upper end of the interval
 */
public record RatioEstimate(double ratio, double low95, double high95) {
  static final int RESAMPLES = 10_000;

  /** Fixed seed, so that the same samples give the same interval. */
  static final long SEED = 20190412;

  /**
   * Estimates the ratio to a reference that was measured right next to it: the median of the ratios
   * of neighbours. They were measured in the same state of the machine, and the median is robust
   * against a single disturbed neighbour.
   *
   * @param values measurements of the one thing
   * @param references as many measurements of the other; equal positions are neighbours
   */
  public static RatioEstimate of(List<Double> values, List<Double> references) {
    if (values.size() != references.size() || values.isEmpty()) {
      throw new IllegalArgumentException(
          "need pairs, got " + values.size() + " and " + references.size() + " values");
    }
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      ratios.add(values.get(i) / references.get(i));
    }
    Random random = new Random(SEED);
    List<Double> medians = new ArrayList<>();
    for (int i = 0; i < RESAMPLES; i++) {
      medians.add(
          median(random.ints(ratios.size(), 0, ratios.size()).mapToObj(ratios::get).toList()));
    }
    return of(median(ratios), medians);
  }

  /** Returns a ratio with the interval that holds 95 % of its resampled values. */
  static RatioEstimate of(double ratio, Collection<Double> resampled) {
    return new RatioEstimate(
        ratio,
        Percentiles.of(resampled, 2.5).orElseThrow(),
        Percentiles.of(resampled, 97.5).orElseThrow());
  }

  private static double median(List<Double> values) {
    return Percentiles.median(values).orElseThrow();
  }
}
