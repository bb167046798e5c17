/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import io.charon.core.law.HighestLately;
import java.time.Duration;

/**
 * Remembers the largest growth between two looks for ten minutes. Until those are over it counts
 * with 1 GB/s, what a JVM's heap grows by when it is touched first.
 */
public final class GrowthWindow {
  private static final long START_BYTES_PER_SECOND = 1_000_000_000L;

  private final HighestLately largest = new HighestLately(Duration.ofMinutes(10));

  /**
   * A window that begins.
   *
   * @param startNanos now
   * @param period between two looks
   */
  public GrowthWindow(long startNanos, Duration period) {
    largest.add(startNanos, START_BYTES_PER_SECOND / 1_000_000 * period.toNanos() / 1000);
  }

  /**
   * Takes what was seen.
   *
   * @param nowNanos when
   * @param bytes the growth, or the largest since this was called last; a shrinkage is none
   */
  public void add(long nowNanos, long bytes) {
    largest.add(nowNanos, Math.max(0, bytes));
  }

  /** The largest growth of the last ten minutes, in bytes. */
  public long largestBytes(long nowNanos) {
    return largest.value(nowNanos).orElse(0);
  }
}
