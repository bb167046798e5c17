/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.sls.workload.MemoryCurve;
import java.util.List;

/** A memory curve with its running integral, so that long steps cost as little as short ones. */
public final class UsageCurve {
  private final double[] progress;
  private final double[] anonymous;
  private final double[] file;
  private final double[] integral;

  /** Prepares a curve; tasks that are alike share it. */
  public UsageCurve(MemoryCurve curve) {
    List<MemoryCurve.Point> points = curve.points();
    int n = points.size();
    progress = new double[n];
    anonymous = new double[n];
    file = new double[n];
    integral = new double[n];
    for (int i = 0; i < n; i++) {
      progress[i] = points.get(i).progress();
      anonymous[i] = points.get(i).anonymousBytes();
      file[i] = points.get(i).fileBytes();
      // Before the first point the curve is flat.
      integral[i] =
          i == 0
              ? progress[0] * (anonymous[0] + file[0])
              : integral[i - 1]
                  + (progress[i] - progress[i - 1])
                      * (anonymous[i - 1] + file[i - 1] + anonymous[i] + file[i])
                      / 2;
    }
  }

  /** Index of the last point at or before a progress, searched from an earlier answer; or -1. */
  int segment(double at, int from) {
    int index = from;
    while (index + 1 < progress.length && progress[index + 1] <= at) {
      index++;
    }
    return index;
  }

  double anonymousAt(double at, int segment) {
    return valueAt(anonymous, at, segment);
  }

  double fileAt(double at, int segment) {
    return valueAt(file, at, segment);
  }

  /** The progress at which a segment ends; infinite for the last. */
  double bendAfter(int segment) {
    return segment + 1 < progress.length ? progress[segment + 1] : Double.POSITIVE_INFINITY;
  }

  /** Growth of all memory per unit of progress. */
  double slopeAt(int segment) {
    if (segment < 0 || segment + 1 >= progress.length) {
      return 0;
    }
    return (anonymous[segment + 1] + file[segment + 1] - anonymous[segment] - file[segment])
        / (progress[segment + 1] - progress[segment]);
  }

  /** Bytes summed over progress from 0 to a point. */
  double integralAt(double at, int segment) {
    if (segment < 0) {
      return at * (anonymous[0] + file[0]);
    }
    double here = anonymousAt(at, segment) + fileAt(at, segment);
    return integral[segment]
        + (at - progress[segment]) * (anonymous[segment] + file[segment] + here) / 2;
  }

  /** The highest sum of both kinds from a progress on: what this may still need. */
  double peakFrom(double at, int segment) {
    double peak = anonymousAt(at, segment) + fileAt(at, segment);
    for (int i = segment + 1; i < progress.length; i++) {
      peak = Math.max(peak, anonymous[i] + file[i]);
    }
    return peak;
  }

  /** The highest sum of both kinds within a range of progress. */
  public double peakWithin(double from, double to) {
    int segment = segment(from, -1);
    double peak = anonymousAt(from, segment) + fileAt(from, segment);
    for (int i = segment + 1; i < progress.length && progress[i] < to; i++) {
      peak = Math.max(peak, anonymous[i] + file[i]);
    }
    int last = segment(to, segment);
    return Math.max(peak, anonymousAt(to, last) + fileAt(to, last));
  }

  private double valueAt(double[] values, double at, int segment) {
    if (segment < 0) {
      return values[0];
    }
    if (segment + 1 >= progress.length) {
      return values[values.length - 1];
    }
    double share = (at - progress[segment]) / (progress[segment + 1] - progress[segment]);
    return values[segment] + (values[segment + 1] - values[segment]) * share;
  }
}
