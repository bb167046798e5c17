/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import io.charon.evaluation.statistics.Percentiles;
import java.util.ArrayList;
import java.util.List;

/**
 * The median of the differences between paired measurements, with a 95 % interval that makes no
 * assumption about their distribution. The ends of the interval are two of the ordered differences
 * (Conover 1999, Practical Nonparametric Statistics, section 3.2, by the normal approximation;
 * rounded outwards).
 *
 * @param median median of the differences
 * @param low95 lower end of the interval; the smallest difference if there are too few
 * @param high95 upper end of the interval; the largest difference if there are too few
 */
record MedianEstimate(double median, double low95, double high95) {
  private static final double NORMAL_95 = 1.96;

  /**
   * Estimates the median difference.
   *
   * @param values measurements of the one thing
   * @param references as many measurements of the other, at least one; equal positions form a pair
   */
  static MedianEstimate ofDifferences(List<Double> values, List<Double> references) {
    List<Double> differences = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      differences.add(values.get(i) - references.get(i));
    }
    differences.sort(null);
    int count = differences.size();
    double half = NORMAL_95 * Math.sqrt(count) / 2;
    int low = Math.max(1, (int) Math.floor(count / 2.0 - half));
    int high = Math.min(count, (int) Math.ceil(count / 2.0 + 1 + half));
    return new MedianEstimate(
        Percentiles.median(differences).orElseThrow(),
        differences.get(low - 1),
        differences.get(high - 1));
  }
}
