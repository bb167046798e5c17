/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

/** How large a forecast's errors are lately, and at that time of day (ours). */
final class ErrorScale {
  /** Of 1: no scale is smaller, so that a quiet time does not make any step a record (ours). */
  private static final double MIN = 0.002;

  /** Weight of a new error in what holds for now: an hour and a half (ours). */
  private static final double LATELY = 0.05;

  /** Weight of a new error in what holds for its time of day: two days (ours). */
  private static final double AT_THE_TIME = 0.4;

  private final double[] atTheTime = new double[UseSample.PER_DAY];
  private double lately;

  void add(long interval, double error) {
    double size = Math.abs(error);
    lately += (size - lately) * LATELY;
    int time = time(interval);
    atTheTime[time] += (size - atTheTime[time]) * AT_THE_TIME;
  }

  /** The larger of both, where the time of day may be missed by an interval. */
  double at(long interval) {
    double most = lately;
    for (int beside = -1; beside <= 1; beside++) {
      most = Math.max(most, atTheTime[time(interval + beside)]);
    }
    return MIN + most;
  }

  private static int time(long interval) {
    return (int) Math.floorMod(interval, (long) UseSample.PER_DAY);
  }
}
