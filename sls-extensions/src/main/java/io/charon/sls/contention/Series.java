/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import java.util.Arrays;
import java.util.List;

/** What a regression is made of, all of equal length. */
final class Series {
  /** Longer than that between two intervals, in steps, is a gap. */
  private static final double GAP = 1.5;

  private final double[] value;
  private final double[] bestEffort;
  private final List<double[]> controls;

  /**
   * Series that nobody changes.
   *
   * @param value what is explained
   * @param bestEffort whose slope is wanted
   * @param controls what else may explain it
   */
  Series(double[] value, double[] bestEffort, List<double[]> controls) {
    this.value = value;
    this.bestEffort = bestEffort;
    this.controls = controls;
  }

  double[] value() {
    return value;
  }

  double[] bestEffort() {
    return bestEffort;
  }

  List<double[]> controls() {
    return controls;
  }

  /** All without what goes on from interval to interval. */
  Series whiten(Autoregression noise, int[] position) {
    return new Series(
        noise.whiten(value, position),
        noise.whiten(bestEffort, position),
        controls.stream().map(column -> noise.whiten(column, position)).toList());
  }

  /** The usual time from one interval to the next, seconds. */
  static double step(List<Interval> intervals) {
    double[] steps = new double[intervals.size() - 1];
    for (int t = 0; t < steps.length; t++) {
      steps[t] = intervals.get(t + 1).seconds() - intervals.get(t).seconds();
    }
    Arrays.sort(steps);
    return steps[steps.length / 2];
  }

  /** The position of each interval in its run without a gap, from 0. */
  static int[] positions(List<Interval> intervals) {
    double longest = GAP * step(intervals);
    int[] position = new int[intervals.size()];
    for (int t = 1; t < position.length; t++) {
      double since = intervals.get(t).seconds() - intervals.get(t - 1).seconds();
      position[t] = since <= longest ? position[t - 1] + 1 : 0;
    }
    return position;
  }
}
