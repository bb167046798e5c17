/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.MemoryCurve.Point;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.TaskGroup;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Used and requested memory over the undisturbed run of all tasks, in byte-milliseconds. */
public final class MemoryUse {
  private final Map<Side, Double> requested = new EnumMap<>(Side.class);
  private final Map<Side, Double> used = new EnumMap<>(Side.class);

  /** Adds a job. */
  public void add(SimulatedJob job) {
    for (TaskGroup group : job.tasks()) {
      double time = (double) group.count() * group.durationMillis();
      requested.merge(job.side(), time * group.requestedBytes(), Double::sum);
      used.merge(job.side(), time * meanBytes(group.memory()), Double::sum);
    }
  }

  /** Returns used over requested memory of all tasks; 0 without a task. */
  public double ratio() {
    return quotient(sum(used), sum(requested));
  }

  /** Returns used over requested memory of one side; 0 without a task. */
  public double ratio(Side side) {
    return quotient(used.getOrDefault(side, 0.0), requested.getOrDefault(side, 0.0));
  }

  /**
   * Returns the mean of a curve over the whole task, anonymous memory and all page cache, in bytes.
   */
  static double meanBytes(MemoryCurve curve) {
    List<Point> points = curve.points();
    double sum = 0;
    for (int i = 1; i < points.size(); i++) {
      Point from = points.get(i - 1);
      Point to = points.get(i);
      sum += (to.progress() - from.progress()) * (bytes(from) + bytes(to)) / 2;
    }
    Point first = points.get(0);
    Point last = points.get(points.size() - 1);
    return sum + first.progress() * bytes(first) + (1 - last.progress()) * bytes(last);
  }

  private static double bytes(Point point) {
    return (double) point.anonymousBytes() + point.fileBytes() + point.streamingBytes();
  }

  private static double sum(Map<Side, Double> sides) {
    return sides.values().stream().mapToDouble(value -> value).sum();
  }

  private static double quotient(double part, double whole) {
    return whole > 0 ? part / whole : 0;
  }
}
