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

/** Percentiles by nearest rank; a percentile of nothing is empty. */
public final class Percentiles {
  private Percentiles() {}

  /**
   * The smallest value that at least a share of all values does not exceed.
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
   * The same, where thousands of them are asked for.
   *
   * @param values at least one; they stay as they are
   * @param percent above 0, at most 100
   */
  public static double of(double[] values, double percent) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return sorted[Math.max(1, rank) - 1];
  }

  /** The middle value, or the mean of the two middle ones. */
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
