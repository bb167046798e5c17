/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/**
 * The memory that a container is expected to need, as a mean and a deviation.
 *
 * @param meanBytes at least 0
 * @param deviationBytes standard deviation, at least 0
 */
public record Growth(double meanBytes, double deviationBytes) {
  /** Number of standard deviations that are kept free beside the mean. Our choice. */
  static final double DEVIATIONS = 2;

  /** Checks the ranges. */
  public Growth {
    if (!(meanBytes >= 0 && deviationBytes >= 0)) {
      throw new IllegalArgumentException(
          "growth and its deviation must be at least 0, got %s and %s"
              .formatted(meanBytes, deviationBytes));
    }
  }

  /** Returns the larger of the two means with the larger of the two deviations. */
  Growth atLeast(Growth other) {
    return new Growth(
        Math.max(meanBytes, other.meanBytes), Math.max(deviationBytes, other.deviationBytes));
  }

  /**
   * Returns a copy whose mean and deviations together are at most the unused part of the request.
   */
  Growth within(double leftBytes) {
    double mean = Math.min(meanBytes, Math.max(0, leftBytes));
    return new Growth(mean, Math.min(deviationBytes, Math.max(0, leftBytes - mean) / DEVIATIONS));
  }
}
