/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.time.Duration;

/**
 * Computes how long launches wait after a kill for memory. The wait doubles while kills repeat:
 * containers that start, grow and are killed repeatedly do no work and slow production down.
 */
public final class LaunchWait {
  /** The wait after an isolated kill. Our choice. */
  public static final Duration FIRST = Duration.ofSeconds(5);

  /** Kills within this time count as one occasion, because one shortage may take several kills. */
  private static final long OCCASION_NANOS = Duration.ofSeconds(3).toNanos();

  private static final long LONGEST_NANOS = Duration.ofMinutes(5).toNanos();

  private final long firstNanos;
  private boolean killed;
  private long firstKillNanos;
  private long lastKillNanos;
  private long waitNanos;

  /**
   * Creates an instance without a kill.
   *
   * @param first the wait after an isolated kill, positive
   */
  public LaunchWait(Duration first) {
    if (first.isNegative() || first.isZero()) {
      throw new IllegalArgumentException("the wait must be positive, got " + first);
    }
    this.firstNanos = first.toNanos();
  }

  /** Records that a container was killed for memory. */
  public void killed(long nowNanos) {
    boolean again = killed && nowNanos - lastKillNanos >= 0;
    if (!again || nowNanos - lastKillNanos > 2 * waitNanos) {
      firstKillNanos = nowNanos;
      waitNanos = firstNanos;
    } else if (nowNanos - firstKillNanos > OCCASION_NANOS) {
      firstKillNanos = nowNanos;
      waitNanos = Math.max(firstNanos, Math.min(2 * waitNanos, LONGEST_NANOS));
    }
    killed = true;
    lastKillNanos = nowNanos;
  }

  /** Returns the remaining wait; zero if launches need not wait. */
  public Duration left(long nowNanos) {
    long since = nowNanos - lastKillNanos;
    return !killed || since >= waitNanos || since < 0
        ? Duration.ZERO
        : Duration.ofNanos(waitNanos - since);
  }
}
