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
 * @param window w: how long the foreground is watched; positive
 * @param stdFactor c: how many standard deviations the range reaches to either side; not negative
 */
public record RangeSettings(Duration window, double stdFactor) {
  /** A window of fewer samples gives no range: their deviation is not worth the name (ours). */
  public static final int MIN_SAMPLES = 5;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is outside of its range
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
