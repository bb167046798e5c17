/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.time.Duration;

/**
 * Plans how to reclaim best-effort's use above its limit: the gentlest action that completes before
 * production reaches the boundary, that is within {@code free / growth}.
 *
 * <ol>
 *   <li>Its clean page cache is dropped first. Clean cache is never a reason to kill: if production
 *       grows faster than it is dropped (1 GB/s), production reclaims the rest itself at little
 *       cost.
 *   <li>Swappable memory is moved to swap, from frozen containers, if 0.6 GB/s is fast enough.
 *   <li>Containers are killed for the rest: at once if swap is too slow, after 100 ms if there is
 *       no other way.
 * </ol>
 */
public final class TakeBack {
  /** How long a shortage that neither cache nor swap covers may last before a kill. Our choice. */
  public static final Duration TIMEOUT = Duration.ofMillis(100);

  private static final long SWAP_BYTES_PER_SECOND = 600_000_000L;
  private static final long MIN_GROWTH_BYTES_PER_SECOND = 50_000_000L;

  private boolean uncovered;
  private long uncoveredSinceNanos;

  /**
   * The actions to take now.
   *
   * @param cacheBytes page cache to drop
   * @param pushOutBytes memory to move to swap, from frozen containers, the newest first
   * @param killBytes memory to release by killing
   */
  public record Plan(long cacheBytes, long pushOutBytes, long killBytes) {}

  /**
   * Returns the plan; to be called at every sample, even if nothing is due.
   *
   * @param shortage the amount due and the ways to reclaim it
   * @param nowNanos the current time
   */
  public Plan plan(Shortage shortage, long nowNanos) {
    long cache = Math.min(shortage.dueBytes(), shortage.cleanCacheBytes());
    long rest = shortage.dueBytes() - cache;
    long swappable = Math.min(rest, shortage.swappableBytes());
    boolean swapIsQuick = secondsFor(swappable) < secondsLeft(shortage);
    long pushOut = swapIsQuick ? swappable : 0;
    long tooSlow = swappable - pushOut;
    long uncoverable = rest - swappable;
    boolean tolerated = tooSlow + uncoverable <= shortage.toleratedBytes();
    if (uncoverable <= 0 || tolerated) {
      uncovered = false;
    } else if (!uncovered || nowNanos - uncoveredSinceNanos < 0) {
      uncovered = true;
      uncoveredSinceNanos = nowNanos;
    }
    boolean timedOut = uncovered && nowNanos - uncoveredSinceNanos >= TIMEOUT.toNanos();
    return new Plan(cache, pushOut, tolerated ? 0 : tooSlow + (timedOut ? uncoverable : 0));
  }

  private static double secondsFor(long bytes) {
    return (double) bytes / SWAP_BYTES_PER_SECOND;
  }

  private static double secondsLeft(Shortage shortage) {
    return (double) Math.max(0, shortage.freeBytes())
        / Math.max(MIN_GROWTH_BYTES_PER_SECOND, shortage.growthBytesPerSecond());
  }
}
