/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.workload;

import java.util.List;

/**
 * Memory of a task over its progress, linear between points. Anonymous memory and page cache stand
 * apart, because a node that is short of either thrashes differently; and so does page cache that
 * is used once, which nobody misses.
 *
 * @param points at least one, progress strictly increasing
 */
public record MemoryCurve(List<Point> points) {
  /**
   * A point of the curve.
   *
   * @param progress share of the task's work that is done, 0 to 1
   * @param anonymousBytes anonymous memory
   * @param fileBytes pages of files that the task uses again and again
   * @param streamingBytes pages of files that it reads or writes once, and that stay only where
   *     there is room
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

    /** A point of a task that uses all of its page cache again and again. */
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

  /** A curve that never changes. */
  public static MemoryCurve constant(long anonymousBytes, long fileBytes) {
    return new MemoryCurve(List.of(new Point(0, anonymousBytes, fileBytes)));
  }

  /** Anonymous memory at a progress of 0 to 1, bytes. */
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

  /** Page cache in use at a progress of 0 to 1, bytes. */
  public long fileBytesAt(double progress) {
    int next = next(progress);
    return next == 0 || next == points.size()
        ? points.get(Math.max(0, next - 1)).fileBytes()
        : between(next, progress, points.get(next - 1).fileBytes(), points.get(next).fileBytes());
  }

  /** The highest anonymous memory, bytes. */
  public long peakAnonymousBytes() {
    return points.stream().mapToLong(Point::anonymousBytes).max().orElseThrow();
  }

  /** Index of the first point beyond the progress. */
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
