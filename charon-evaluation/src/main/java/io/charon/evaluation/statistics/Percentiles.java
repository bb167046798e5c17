/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.statistics;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;

/** Computes percentiles by nearest rank; a percentile of no values is empty. */
public final class Percentiles {
  private Percentiles() {}

  /**
   * Returns the smallest value such that at least {@code percent} of all values do not exceed it.
   *
   * @param percent above 0, at most 100
   */
  public static OptionalDouble of(Collection<Double> values, double percent) {
    if (values.isEmpty()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        of(values.stream().mapToDouble(Double::doubleValue).toArray(), percent));
  }

  /**
   * Returns the same for an array, without boxing, for callers that compute thousands of
   * percentiles.
   *
   * @param values at least one value; not modified
   * @param percent above 0, at most 100
   */
  public static double of(double[] values, double percent) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return sorted[Math.max(1, rank) - 1];
  }

  /** Returns the middle value, or the mean of the two middle ones. */
  public static OptionalDouble median(Collection<Double> values) {
    if (values.isEmpty()) {
      return OptionalDouble.empty();
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return OptionalDouble.of(
        sorted.size() % 2 == 1
            ? sorted.get(middle)
            : (sorted.get(middle - 1) + sorted.get(middle)) / 2);
  }
}
