/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

import java.util.Arrays;
import java.util.OptionalDouble;

/** The use at the same time of day on the last days. Our choice, not from a paper. */
final class DailyPattern {
  /** Number of past days: fewer follow the noise of one day, more adapt late. Our choice, tuned. */
  private static final int DAYS = 4;

  private static final long NONE = Long.MIN_VALUE;

  private final double[] shares = new double[DAYS * UseSample.PER_DAY];
  private final long[] intervals = new long[shares.length];

  DailyPattern() {
    Arrays.fill(intervals, NONE);
  }

  void add(long interval, double share) {
    int slot = slot(interval);
    shares[slot] = share;
    intervals[slot] = interval;
  }

  /**
   * Returns the mean over the last days of the same interval (weight 2) and both its neighbors
   * (weight 1 each).
   */
  OptionalDouble expected(long interval) {
    double sum = 0;
    int weights = 0;
    for (int day = 1; day <= DAYS; day++) {
      for (int beside = -1; beside <= 1; beside++) {
        long before = interval - (long) UseSample.PER_DAY * day + beside;
        if (intervals[slot(before)] == before) {
          int weight = beside == 0 ? 2 : 1;
          sum += weight * shares[slot(before)];
          weights += weight;
        }
      }
    }
    return weights == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / weights);
  }

  private int slot(long interval) {
    return (int) Math.floorMod(interval, (long) shares.length);
  }
}
