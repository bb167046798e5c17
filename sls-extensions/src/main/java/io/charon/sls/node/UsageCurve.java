/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.sls.workload.MemoryCurve;
import java.util.Arrays;
import java.util.List;

/** A memory curve with its running integral, so that long steps cost as little as short ones. */
public final class UsageCurve {
  private final double[] progress;
  private final double[] anonymous;
  private final double[] file;
  private final double[] integral;
  private final double[] peakFrom; // From this point on.

  /** Prepares a curve; tasks that are alike share it. */
  public UsageCurve(MemoryCurve curve) {
    List<MemoryCurve.Point> points = curve.points();
    int n = points.size();
    progress = new double[n];
    anonymous = new double[n];
    file = new double[n];
    integral = new double[n];
    peakFrom = new double[n];
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
    for (int i = n - 1; i >= 0; i--) {
      double here = anonymous[i] + file[i];
      peakFrom[i] = i == n - 1 ? here : Math.max(here, peakFrom[i + 1]);
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

  /** How far a progress is into its segment, 0 to 1; what values are asked for with. */
  double shareOf(double at, int segment) {
    return segment < 0 || segment + 1 >= progress.length
        ? 0
        : (at - progress[segment]) / (progress[segment + 1] - progress[segment]);
  }

  double anonymousAt(int segment, double share) {
    return valueAt(anonymous, segment, share);
  }

  double fileAt(int segment, double share) {
    return valueAt(file, segment, share);
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

  /** Bytes summed over progress from 0 to a point, at which {@code here} bytes are in use. */
  double integralAt(double at, int segment, double here) {
    if (segment < 0) {
      return at * (anonymous[0] + file[0]);
    }
    return integral[segment]
        + (at - progress[segment]) * (anonymous[segment] + file[segment] + here) / 2;
  }

  /** The most anonymous memory of the whole run, bytes. */
  double anonymousPeak() {
    return Arrays.stream(anonymous).max().orElseThrow();
  }

  /** The highest sum of both kinds after a segment's beginning, if {@code here} is in use now. */
  double peakFrom(int segment, double here) {
    return segment + 1 < peakFrom.length ? Math.max(here, peakFrom[segment + 1]) : here;
  }

  /** The highest sum of both kinds within a range of progress. */
  public double peakWithin(double from, double to) {
    int segment = segment(from, -1);
    double peak = bothAt(from, segment);
    for (int i = segment + 1; i < progress.length && progress[i] < to; i++) {
      peak = Math.max(peak, anonymous[i] + file[i]);
    }
    return Math.max(peak, bothAt(to, segment(to, segment)));
  }

  private double bothAt(double at, int segment) {
    double share = shareOf(at, segment);
    return anonymousAt(segment, share) + fileAt(segment, share);
  }

  private static double valueAt(double[] values, int segment, double share) {
    if (segment < 0) {
      return values[0];
    }
    if (segment + 1 >= values.length) {
      return values[values.length - 1];
    }
    return values[segment] + (values[segment + 1] - values[segment]) * share;
  }
}
