/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.Arrays;

/** Counts events in the current minute and the 59 before it. Not thread-safe. */
final class HourlyCounter {
  private static final int MINUTES = 60;
  private static final long NANOS_PER_MINUTE = 60_000_000_000L;

  private final int[] counts = new int[MINUTES];
  private long newestMinute;

  /** Creates a counter at {@code nowNanos}, of a monotonic clock. */
  HourlyCounter(long nowNanos) {
    newestMinute = minute(nowNanos);
  }

  void add(long nowNanos) {
    advance(nowNanos);
    counts[place(newestMinute)]++;
  }

  int sum(long nowNanos) {
    advance(nowNanos);
    return Arrays.stream(counts).sum();
  }

  private void advance(long nowNanos) {
    long minute = minute(nowNanos);
    for (long next = Math.max(newestMinute, minute - MINUTES) + 1; next <= minute; next++) {
      counts[place(next)] = 0;
    }
    newestMinute = Math.max(newestMinute, minute);
  }

  private static long minute(long nanos) {
    return Math.floorDiv(nanos, NANOS_PER_MINUTE);
  }

  private static int place(long minute) {
    return (int) Math.floorMod(minute, (long) MINUTES);
  }
}
