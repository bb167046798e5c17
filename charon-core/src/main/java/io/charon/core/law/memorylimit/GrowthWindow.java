/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Remembers the largest growth between two looks for ten minutes. Until those are over it counts
 * with 1 GB/s, what a JVM's heap grows by when it is touched first.
 */
public final class GrowthWindow {
  private static final long START_BYTES_PER_SECOND = 1_000_000_000L;
  private static final long LENGTH_NANOS = Duration.ofMinutes(10).toNanos();

  private record Growth(long nanos, long bytes) {}

  /** From the largest, which is the oldest, to the newest: nobody is hidden by a larger younger. */
  private final Deque<Growth> largest = new ArrayDeque<>();

  /**
   * A window that begins.
   *
   * @param startNanos now
   * @param period between two looks
   */
  public GrowthWindow(long startNanos, Duration period) {
    largest.add(
        new Growth(startNanos, START_BYTES_PER_SECOND / 1_000_000 * period.toNanos() / 1000));
  }

  /**
   * Takes what was seen.
   *
   * @param nowNanos when
   * @param bytes the growth, or the largest since this was called last; a shrinkage is none
   */
  public void add(long nowNanos, long bytes) {
    forget(nowNanos);
    while (!largest.isEmpty() && largest.peekLast().bytes() <= bytes) {
      largest.removeLast();
    }
    largest.addLast(new Growth(nowNanos, Math.max(0, bytes)));
  }

  /** The largest growth of the last ten minutes, in bytes. */
  public long largestBytes(long nowNanos) {
    forget(nowNanos);
    return largest.isEmpty() ? 0 : largest.peekFirst().bytes();
  }

  private void forget(long nowNanos) {
    while (!largest.isEmpty() && nowNanos - largest.peekFirst().nanos() > LENGTH_NANOS) {
      largest.removeFirst();
    }
  }
}
