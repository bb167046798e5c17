/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The fluctuation of a percentile from one part of a run to the next (ByteDance with Intel RDT,
 * "Evaluation Method"):
 *
 * <pre>|p99(t) - p99(t-1)| / p99(t)</pre>
 *
 * @param steps one value for each part but the first; parts whose percentile is 0 are left out
 */
public record Fluctuation(List<Double> steps) {
  private static final double HIGH = 95;

  /** Copies the list. */
  public Fluctuation {
    steps = List.copyOf(steps);
  }

  /**
   * Computes the fluctuation from the percentiles of the parts.
   *
   * @param percentiles percentiles in the order of time, not negative
   */
  public static Fluctuation of(List<Double> percentiles) {
    List<Double> steps = new ArrayList<>();
    for (int part = 1; part < percentiles.size(); part++) {
      double now = percentiles.get(part);
      if (now > 0) {
        steps.add(Math.abs(now - percentiles.get(part - 1)) / now);
      }
    }
    return new Fluctuation(steps);
  }

  /** Returns the mean of the steps; empty if there are none. */
  public OptionalDouble mean() {
    return steps.stream().mapToDouble(Double::doubleValue).average();
  }

  /** Returns the 95th percentile of the steps; empty if there are none. */
  public OptionalDouble high() {
    return Percentiles.of(steps, HIGH);
  }
}
