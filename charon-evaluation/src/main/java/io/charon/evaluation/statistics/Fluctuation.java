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
 * How much a percentile goes up and down from one part of a run to the next (ByteDance with Intel
 * RDT, "Evaluation Method"):
 *
 * <pre>|p99(t) - p99(t-1)| / p99(t)</pre>
 *
 * @param steps one for each part but the first; where the later percentile is 0 there is none
 */
public record Fluctuation(List<Double> steps) {
  private static final double HIGH = 95;

  /** Copies the list. */
  public Fluctuation {
    steps = List.copyOf(steps);
  }

  /**
   * Of the parts' percentiles.
   *
   * @param percentiles in the order of time, not negative
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

  /** Their mean; empty without any. */
  public OptionalDouble mean() {
    return steps.stream().mapToDouble(Double::doubleValue).average();
  }

  /** Their 95th percentile; empty without any. */
  public OptionalDouble high() {
    return Percentiles.of(steps, HIGH);
  }
}
