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
 * What else may move the value: the service's own load, by a line that bends five times, and
 * whatever changes slowly, by cosines. Best-effort is not blamed for what these explain.
 */
final class Controls {
  private static final double SECONDS_PER_HOUR = 3600;

  /** Shares of the intervals between which the line bends. */
  private static final int PIECES = 6;

  /** More would take minutes, for months of intervals. */
  private static final int MAX_COSINES = 120;

  private Controls() {}

  /**
   * A column for each, the first is 1 throughout.
   *
   * @param slowHours how long a slow change takes at least, from one extreme back to it
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
    double lasts = intervals.get(intervals.size() - 1).seconds() - start;
    double cosines = Math.floor(2 * lasts / (slowHours * SECONDS_PER_HOUR));
    for (int j = 1; j <= Math.min(MAX_COSINES, Math.max(1, cosines)); j++) {
      double turn = Math.PI * j / lasts;
      columns.add(
          intervals.stream()
              .mapToDouble(interval -> Math.cos(turn * (interval.seconds() - start)))
              .toArray());
    }
    return columns;
  }
}
