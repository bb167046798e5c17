/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.time.Duration;

/**
 * How to take back what best-effort holds above its limit: the gentlest action that ends before
 * production reaches the boundary, which is in {@code free / growth}.
 *
 * <ol>
 *   <li>Its clean page cache goes first. Clean cache is never a reason to kill: where production is
 *       faster than that (1 GB/s), it takes the rest itself, at little cost.
 *   <li>What can be pushed out to swap is, frozen, if there is time for that at 0.6 GB/s.
 *   <li>The rest is killed for: at once if swap is too slow, after 100 ms if there is no other way.
 * </ol>
 */
public final class TakeBack {
  /** So long may a shortage last that neither cache nor swap covers (ours). */
  public static final Duration TIMEOUT = Duration.ofMillis(100);

  private static final long SWAP_BYTES_PER_SECOND = 600_000_000L;
  private static final long MIN_GROWTH_BYTES_PER_SECOND = 50_000_000L;

  private boolean uncovered;
  private long uncoveredSinceNanos;

  /**
   * What to do now.
   *
   * @param cacheBytes page cache to drop
   * @param pushOutBytes to push out to swap, from frozen containers, the newest first
   * @param killBytes to have from killing
   */
  public record Plan(long cacheBytes, long pushOutBytes, long killBytes) {}

  /**
   * Plans; to be asked at every look, also when nothing is due.
   *
   * @param shortage what is due, and how it could be had
   * @param nowNanos now
   */
  public Plan plan(Shortage shortage, long nowNanos) {
    long cache = Math.min(shortage.dueBytes(), shortage.cleanCacheBytes());
    long rest = shortage.dueBytes() - cache;
    long swappable = Math.min(rest, shortage.swappableBytes());
    boolean swapIsQuick = secondsFor(swappable) < secondsLeft(shortage);
    long pushOut = swapIsQuick ? swappable : 0;
    long tooSlow = swappable - pushOut;
    long nowhere = rest - swappable;
    boolean tolerated = tooSlow + nowhere <= shortage.toleratedBytes();
    if (nowhere <= 0 || tolerated) {
      uncovered = false;
    } else if (!uncovered || nowNanos - uncoveredSinceNanos < 0) {
      uncovered = true;
      uncoveredSinceNanos = nowNanos;
    }
    boolean over = uncovered && nowNanos - uncoveredSinceNanos >= TIMEOUT.toNanos();
    return new Plan(cache, pushOut, tolerated ? 0 : tooSlow + (over ? nowhere : 0));
  }

  private static double secondsFor(long bytes) {
    return (double) bytes / SWAP_BYTES_PER_SECOND;
  }

  private static double secondsLeft(Shortage shortage) {
    return (double) Math.max(0, shortage.freeBytes())
        / Math.max(MIN_GROWTH_BYTES_PER_SECOND, shortage.growthBytesPerSecond());
  }
}
