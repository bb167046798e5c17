/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.time.Duration;

/**
 * How a range is learned.
 *
 * @param window w: how long the foreground is observed; positive
 * @param stdFactor c: the number of standard deviations on either side of the mean; not negative
 */
public record RangeSettings(Duration window, double stdFactor) {
  /** Minimum number of samples in a window: the deviation of fewer is meaningless. Our choice. */
  public static final int MIN_SAMPLES = 5;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public RangeSettings {
    if (window.isZero() || window.isNegative()) {
      throw new IllegalArgumentException("window must be positive, was " + window);
    }
    if (!(stdFactor >= 0 && stdFactor <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "stdFactor must be finite and not negative, was " + stdFactor);
    }
  }
}
