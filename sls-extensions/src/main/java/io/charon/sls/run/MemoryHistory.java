/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import io.charon.sls.node.NodeUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of the cluster over time in at most 512 points for a run of any length: when there are
 * more, every other point is dropped and the interval between new points is doubled.
 */
final class MemoryHistory {
  private static final int MAX = 512;
  private static final long FIRST_STEP_NANOS = Duration.ofSeconds(30).toNanos();
  private static final double NANOS_PER_SECOND = 1e9;

  /** The accumulated use from the start until a moment. */
  private record Point(long nanos, NodeUsage usage) {}

  private List<Point> points = new ArrayList<>(List.of(new Point(0, NodeUsage.NONE)));
  private long stepNanos = FIRST_STEP_NANOS;
  private long nextNanos = FIRST_STEP_NANOS;

  /** Returns whether a point should be added now. */
  boolean isDue(long nowNanos) {
    return nowNanos >= nextNanos;
  }

  /** Adds a point. */
  void add(long nowNanos, NodeUsage usage) {
    points.add(new Point(nowNanos, usage));
    if (points.size() > MAX) {
      List<Point> kept = new ArrayList<>();
      for (int i = 0; i < points.size(); i += 2) {
        kept.add(points.get(i));
      }
      points = kept;
      stepNanos *= 2;
    }
    nextNanos = (nowNanos / stepNanos + 1) * stepNanos;
  }

  /** Returns the averages between the points. */
  List<MemorySample> samples() {
    List<MemorySample> samples = new ArrayList<>();
    for (int i = 1; i < points.size(); i++) {
      Point from = points.get(i - 1);
      Point to = points.get(i);
      double nanos = to.nanos() - from.nanos();
      samples.add(
          new MemorySample(
              to.nanos() / NANOS_PER_SECOND,
              (to.usage().requested() - from.usage().requested()) / nanos,
              (to.usage().resident() - from.usage().resident()) / nanos,
              (to.usage().productionRequested() - from.usage().productionRequested()) / nanos,
              (to.usage().productionUsed() - from.usage().productionUsed()) / nanos));
    }
    return samples;
  }
}
