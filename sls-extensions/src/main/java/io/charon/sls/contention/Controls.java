/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Other causes of a change of the value: the service's own load, as a piecewise linear function
 * with five bends, and slow changes, as cosines. Changes that these explain are not attributed to
 * best-effort.
 */
final class Controls {
  private static final double SECONDS_PER_HOUR = 3600;

  /** Number of linear pieces, each with the same number of intervals. */
  private static final int PIECES = 6;

  /** Maximum number of slow periods in a record; more would take minutes with months of it. */
  static final int MAX_PERIODS = 60;

  private Controls() {}

  /**
   * Returns the shortest period of a slow change, in hours, that a record can have: the given one,
   * or a 60th of its length if that is longer.
   */
  static double slowHours(List<Interval> intervals, double wanted) {
    return Math.max(wanted, lasts(intervals) / MAX_PERIODS / SECONDS_PER_HOUR);
  }

  private static double lasts(List<Interval> intervals) {
    return intervals.get(intervals.size() - 1).seconds() - intervals.get(0).seconds();
  }

  /**
   * Returns one column for each control; the first column is constant 1.
   *
   * @param slowHours shortest period of a slow change, in hours; see {@link #slowHours}
   */
  static List<double[]> of(List<Interval> intervals, double slowHours) {
    List<double[]> columns = new ArrayList<>();
    columns.add(intervals.stream().mapToDouble(interval -> 1).toArray());
    double[] load = intervals.stream().mapToDouble(Interval::load).toArray();
    columns.add(load);
    double[] sorted = load.clone();
    Arrays.sort(sorted);
    for (int piece = 1; piece < PIECES; piece++) {
      double bend = sorted[sorted.length * piece / PIECES];
      columns.add(Arrays.stream(load).map(value -> Math.max(0, value - bend)).toArray());
    }
    double start = intervals.get(0).seconds();
    double lasts = lasts(intervals);
    double cosines = Math.floor(2 * lasts / (slowHours * SECONDS_PER_HOUR));
    for (int j = 1; j <= Math.min(2 * MAX_PERIODS, Math.max(1, cosines)); j++) {
      double turn = Math.PI * j / lasts;
      columns.add(
          intervals.stream()
              .mapToDouble(interval -> Math.cos(turn * (interval.seconds() - start)))
              .toArray());
    }
    return columns;
  }
}
