/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

/** The typical size of a forecast's errors, recently and at the same time of day. Our choice. */
final class ErrorScale {
  /** Minimum scale, so that a small step after a quiet time is not an extreme error. Our choice. */
  private static final double MIN = 0.002;

  /** Weight of a new error in the recent average: an hour and a half. Our choice. */
  private static final double RECENT_WEIGHT = 0.05;

  /** Weight of a new error in the average for its time of day: two days. Our choice. */
  private static final double TIME_OF_DAY_WEIGHT = 0.4;

  private final double[] byTimeOfDay = new double[UseSample.PER_DAY];
  private double recent;

  void add(long interval, double error) {
    double size = Math.abs(error);
    recent += (size - recent) * RECENT_WEIGHT;
    int time = time(interval);
    byTimeOfDay[time] += (size - byTimeOfDay[time]) * TIME_OF_DAY_WEIGHT;
  }

  /** Returns the larger of the recent average and that of this time of day, within one interval. */
  double at(long interval) {
    double most = recent;
    for (int beside = -1; beside <= 1; beside++) {
      most = Math.max(most, byTimeOfDay[time(interval + beside)]);
    }
    return MIN + most;
  }

  private static int time(long interval) {
    return (int) Math.floorMod(interval, (long) UseSample.PER_DAY);
  }
}
