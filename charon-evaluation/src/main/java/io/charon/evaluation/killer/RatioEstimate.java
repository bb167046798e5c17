/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.statistics.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * How much more one thing costs than another that was measured right beside it: the median of the
 * ratios of neighbours, and a 95 % interval for it from the bootstrap (Efron and Tibshirani 1993,
 * percentile method). Neighbours share the machine's mood, and the median shrugs off a neighbour
 * that somebody disturbed.
 *
 * @param ratio the median
 * @param low95 lower end of the interval
 * @param high95 upper end of the interval
 */
public record RatioEstimate(double ratio, double low95, double high95) {
  private static final int RESAMPLES = 10_000;

  /** The same samples give the same interval. */
  private static final long SEED = 20190412;

  /**
   * Estimates.
   *
   * @param values one thing
   * @param references the other, as many; equal places are neighbours
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
    return new RatioEstimate(
        median(ratios),
        Percentiles.of(medians, 2.5).orElseThrow(),
        Percentiles.of(medians, 97.5).orElseThrow());
  }

  private static double median(List<Double> values) {
    return Percentiles.median(values).orElseThrow();
  }
}
