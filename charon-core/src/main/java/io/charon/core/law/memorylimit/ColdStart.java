/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.time.Duration;
import java.util.Collection;

/**
 * A production container that just started: it will need memory that it has not touched yet. Its
 * claim holds back launches and raising for its first ten seconds (ours); no best-effort container
 * is squeezed or killed for it.
 *
 * @param startedNanos when
 * @param expectedBytes its learned peak, or its request where nothing was learned, not negative
 * @param usedBytes what it holds now, not negative
 */
public record ColdStart(long startedNanos, long expectedBytes, long usedBytes) {
  private static final long LENGTH_NANOS = Duration.ofSeconds(10).toNanos();

  /** What all those who start will still need. */
  public static long claimBytes(Collection<ColdStart> starts, long nowNanos) {
    return starts.stream().mapToLong(start -> start.claimBytes(nowNanos)).sum();
  }

  private long claimBytes(long nowNanos) {
    return nowNanos - startedNanos < LENGTH_NANOS ? Math.max(0, expectedBytes - usedBytes) : 0;
  }
}
