/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.workload;

import java.util.List;

/**
 * The memory of a task over its progress, linear between points. Anonymous memory and page cache
 * are separate, because a node thrashes differently for lack of either; page cache that is used
 * once is separate as well, because its eviction costs nothing.
 *
 * @param points at least one, with strictly increasing progress
 */
public record MemoryCurve(List<Point> points) {
  /**
   * A point of the curve.
   *
   * @param progress share of the task's work that is done, 0 to 1
   * @param anonymousBytes anonymous memory
   * @param fileBytes file pages that the task uses repeatedly
   * @param streamingBytes file pages that it reads or writes once, cached only where there is room
   */
  public record Point(double progress, long anonymousBytes, long fileBytes, long streamingBytes) {
    /** Checks the ranges. */
    public Point {
      if (!(progress >= 0 && progress <= 1)
          || anonymousBytes < 0
          || fileBytes < 0
          || streamingBytes < 0) {
        throw new IllegalArgumentException(
            "a point needs a progress of 0 to 1 and no negative memory, got %s, %d, %d, %d"
                .formatted(progress, anonymousBytes, fileBytes, streamingBytes));
      }
    }

    /** Creates a point of a task that uses all of its page cache repeatedly. */
    public Point(double progress, long anonymousBytes, long fileBytes) {
      this(progress, anonymousBytes, fileBytes, 0);
    }
  }

  /** Copies the points and checks their order. */
  public MemoryCurve {
    points = List.copyOf(points);
    if (points.isEmpty()) {
      throw new IllegalArgumentException("a memory curve needs a point");
    }
    for (int i = 1; i < points.size(); i++) {
      if (points.get(i).progress() <= points.get(i - 1).progress()) {
        throw new IllegalArgumentException("the progress of a memory curve's points must increase");
      }
    }
  }

  /** Returns a constant curve. */
  public static MemoryCurve constant(long anonymousBytes, long fileBytes) {
    return new MemoryCurve(List.of(new Point(0, anonymousBytes, fileBytes)));
  }

  /** Returns the anonymous memory at a progress of 0 to 1, in bytes. */
  public long anonymousBytesAt(double progress) {
    int next = next(progress);
    return next == 0 || next == points.size()
        ? points.get(Math.max(0, next - 1)).anonymousBytes()
        : between(
            next,
            progress,
            points.get(next - 1).anonymousBytes(),
            points.get(next).anonymousBytes());
  }

  /** Returns the page cache in use at a progress of 0 to 1, in bytes. */
  public long fileBytesAt(double progress) {
    int next = next(progress);
    return next == 0 || next == points.size()
        ? points.get(Math.max(0, next - 1)).fileBytes()
        : between(next, progress, points.get(next - 1).fileBytes(), points.get(next).fileBytes());
  }

  /** Returns the highest anonymous memory, in bytes. */
  public long peakAnonymousBytes() {
    return points.stream().mapToLong(Point::anonymousBytes).max().orElseThrow();
  }

  /** Returns the index of the first point beyond the progress. */
  private int next(double progress) {
    int index = 0;
    while (index < points.size() && points.get(index).progress() <= progress) {
      index++;
    }
    return index;
  }

  private long between(int next, double progress, long before, long after) {
    double from = points.get(next - 1).progress();
    double share = (progress - from) / (points.get(next).progress() - from);
    return before + Math.round((after - before) * share);
  }
}
