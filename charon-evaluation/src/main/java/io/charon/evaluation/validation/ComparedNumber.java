/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.validation;

import java.util.List;
import java.util.OptionalDouble;

/**
 * One number of one mode, measured and simulated.
 *
 * @param name description
 * @param unit {@code s}, {@code %} or empty
 * @param measured value on the real cluster; empty if it was not measured
 * @param simulated one value for each simulated run that has one
 * @param calibrated whether the simulation was given the measured value, so that it predicts
 *     nothing
 */
public record ComparedNumber(
    String name, String unit, OptionalDouble measured, List<Double> simulated, boolean calibrated) {
  /** Copies the list. */
  public ComparedNumber {
    simulated = List.copyOf(simulated);
  }

  /** Returns the mean of the simulated runs; empty if none has a value. */
  public OptionalDouble mean() {
    return simulated.stream().mapToDouble(Double::doubleValue).average();
  }

  /** Returns the smallest simulated value; empty if none has a value. */
  public OptionalDouble min() {
    return simulated.stream().mapToDouble(Double::doubleValue).min();
  }

  /** Returns the largest simulated value; empty if none has a value. */
  public OptionalDouble max() {
    return simulated.stream().mapToDouble(Double::doubleValue).max();
  }

  /**
   * Returns the difference of the simulated mean from the measured value, in percent; empty if one
   * of them is missing or the measured value is 0.
   */
  public OptionalDouble differencePercent() {
    boolean comparable = measured.isPresent() && mean().isPresent() && measured.getAsDouble() != 0;
    return comparable
        ? OptionalDouble.of((mean().getAsDouble() / measured.getAsDouble() - 1) * 100)
        : OptionalDouble.empty();
  }
}
