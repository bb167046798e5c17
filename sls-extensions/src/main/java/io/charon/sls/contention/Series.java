/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import java.util.Arrays;
import java.util.List;

/** The series of a regression, all of equal length. */
final class Series {
  /** Distance between two intervals, in usual steps, above which there is a gap between them. */
  private static final double GAP = 1.5;

  private final double[] value;
  private final double[] bestEffort;
  private final List<double[]> controls;

  /**
   * Creates the series; the arrays must not be changed afterwards.
   *
   * @param value the values to explain
   * @param bestEffort the series whose slope is estimated
   * @param controls other possible explanations
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

  /** Returns all series prewhitened by a model of the noise. */
  Series whiten(Autoregression noise, int[] position) {
    return new Series(
        noise.whiten(value, position),
        noise.whiten(bestEffort, position),
        controls.stream().map(column -> noise.whiten(column, position)).toList());
  }

  /** Returns the median time from one interval to the next, in seconds. */
  static double step(List<Interval> intervals) {
    double[] steps = new double[intervals.size() - 1];
    for (int t = 0; t < steps.length; t++) {
      steps[t] = intervals.get(t + 1).seconds() - intervals.get(t).seconds();
    }
    Arrays.sort(steps);
    return steps[steps.length / 2];
  }

  /** Returns the position of each interval in its run without a gap, from 0. */
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
