/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.kill;

import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Detects thrash from one monotonic counter of a container (refaults of anonymous or of file
 * pages). {@code ua_observe} in {@code ua_rules.h}, which runs in the kernel, is the same law; a
 * test compares them.
 *
 * <p>A streak begins with the sample before the first growth and lasts as long as the counter grows
 * by {@code minPages} in every {@code flat} time. If there is no sample for that time, nothing was
 * reclaimed, and the streak ends. A streak is thrash once it has lasted for the tolerance (the
 * paper's cgth_time) from its start to its last growth, so that a burst that has ended does not
 * become thrash afterwards. Clocks may have an arbitrary origin. Not safe for use by several
 * threads.
 */
public final class ThrashDetector {
  private final long flatNanos;
  private final long minPages;
  private long toleranceNanos;
  private boolean sampled;
  private boolean streak;
  private long value;
  private long sampledNanos;
  private long markValue;
  private long markNanos;
  private long streakStartNanos;

  /**
   * Creates the detector of one counter.
   *
   * @param tolerance how long thrash is tolerated; zero: forever
   * @param flat how long the counter may stall before a streak ends; positive
   * @param minPages growth below this within {@code flat} counts as a stall; positive
   */
  public ThrashDetector(Duration tolerance, Duration flat, long minPages) {
    if (flat.isZero() || flat.isNegative() || minPages < 1) {
      throw new IllegalArgumentException(
          "flat and minPages must be positive, got " + flat + " and " + minPages);
    }
    this.flatNanos = flat.toNanos();
    this.minPages = minPages;
    tolerate(tolerance);
  }

  /**
   * Changes the tolerance; it also applies to the current streak.
   *
   * @param tolerance how long thrash is tolerated; zero: forever
   */
  public void tolerate(Duration tolerance) {
    Objects.requireNonNull(tolerance, "tolerance");
    if (tolerance.isNegative()) {
      throw new IllegalArgumentException("tolerance must not be negative, got " + tolerance);
    }
    this.toleranceNanos = tolerance.toNanos();
  }

  /**
   * Adds one sample.
   *
   * @param nowNanos the time of the sample, on a monotonic clock
   * @param pages the counter; it never falls during the container's life
   * @param counts whether growth since the last sample counts; false if the container is at its own
   *     limit or the node is not under pressure
   * @return whether there is thrash that has lasted for the tolerance
   */
  public boolean observe(long nowNanos, long pages, boolean counts) {
    boolean first = !sampled;
    long previousNanos = sampledNanos;
    long previous = value;
    long elapsed = nowNanos - previousNanos;
    sampled = true;
    sampledNanos = nowNanos;
    value = pages;
    if (first || elapsed < 0 || elapsed > flatNanos || pages < previous) {
      streak = false;
      mark(nowNanos);
      return false;
    }
    if (!counts) {
      markValue += pages - previous;
    }
    if (pages - markValue >= minPages) {
      if (!streak) {
        streak = true;
        streakStartNanos = previousNanos;
      }
      mark(nowNanos);
    } else if (nowNanos - markNanos > flatNanos) {
      streak = false;
      mark(nowNanos);
    }
    return toleranceNanos > 0 && streak && markNanos - streakStartNanos >= toleranceNanos;
  }

  /** Forgets all samples; after a kill, every detector of the domain is cleared. */
  public void clear() {
    sampled = false;
    streak = false;
  }

  /**
   * Returns how long the counter has been growing, up to its last growth.
   *
   * @return nanoseconds; empty if the counter stalls
   */
  public OptionalLong streakNanos() {
    return streak ? OptionalLong.of(markNanos - streakStartNanos) : OptionalLong.empty();
  }

  private void mark(long nowNanos) {
    markValue = value;
    markNanos = nowNanos;
  }
}
