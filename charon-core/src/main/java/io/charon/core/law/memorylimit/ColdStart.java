/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.time.Duration;
import java.util.Collection;

/**
 * A production container that just started and will need memory that it has not touched yet. For
 * the first ten seconds (our choice), its claim prevents launches and increases of the limit; no
 * best-effort container is squeezed or killed because of it.
 *
 * @param startedNanos the time of the start
 * @param expectedBytes its learned peak, or its request if nothing was learned, not negative
 * @param usedBytes its current use, not negative
 */
public record ColdStart(long startedNanos, long expectedBytes, long usedBytes) {
  private static final long LENGTH_NANOS = Duration.ofSeconds(10).toNanos();

  /** Returns the memory that all starting containers together will still need, in bytes. */
  public static long claimBytes(Collection<ColdStart> starts, long nowNanos) {
    return starts.stream().mapToLong(start -> start.claimBytes(nowNanos)).sum();
  }

  private long claimBytes(long nowNanos) {
    return nowNanos - startedNanos < LENGTH_NANOS ? Math.max(0, expectedBytes - usedBytes) : 0;
  }
}
