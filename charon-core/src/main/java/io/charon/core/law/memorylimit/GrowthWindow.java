/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import io.charon.core.law.SlidingMaximum;
import java.time.Duration;

/**
 * Remembers the largest growth between two samples for ten minutes. For the first ten minutes it
 * also contains a growth of 1 GB/s, the rate at which a JVM's heap grows when it is touched first.
 */
public final class GrowthWindow {
  private static final long START_BYTES_PER_SECOND = 1_000_000_000L;

  private final SlidingMaximum largest = new SlidingMaximum(Duration.ofMinutes(10));

  /**
   * Creates a window.
   *
   * @param startNanos the current time
   * @param period the time between two samples
   */
  public GrowthWindow(long startNanos, Duration period) {
    largest.add(startNanos, START_BYTES_PER_SECOND / 1_000_000 * period.toNanos() / 1000);
  }

  /**
   * Adds a growth.
   *
   * @param nowNanos the time of the sample
   * @param bytes the growth, or the largest growth since the last call; a negative growth counts as
   *     0
   */
  public void add(long nowNanos, long bytes) {
    largest.add(nowNanos, Math.max(0, bytes));
  }

  /** Returns the largest growth of the last ten minutes, in bytes. */
  public long largestBytes(long nowNanos) {
    return largest.value(nowNanos).orElse(0);
  }
}
