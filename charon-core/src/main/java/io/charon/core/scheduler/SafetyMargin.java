/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;

/**
 * The share of the node that launches keep free beyond the expected need of containers. It learns
 * from kills: each kill widens it, and every hour in which a container waited for memory narrows it
 * by as much as the tolerated number of kills widens it. So a node reaches the tolerated rate of
 * kills, whichever estimate is wrong: growth, production or page cache. Our design, not from a
 * paper.
 */
public final class SafetyMargin {
  /** The initial margin, as a share of the node. */
  public static final double FIRST = 0.05;

  /** The maximum margin, as a share of the node. */
  public static final double WIDEST = 0.3;

  private static final double STEP = 0.01;
  private static final double NANOS_PER_HOUR = Duration.ofHours(1).toNanos();

  /** A longer gap between two reports of waiting does not count as waiting time. */
  private static final Duration LONGEST_GAP = Duration.ofSeconds(10);

  /** The gap is longer where a node checks its waiting containers more seldom. Our choice. */
  private static final int LONGEST_GAP_TICKS = 3;

  private final double killsPerHour;
  private final long longestGapNanos;
  private double share = FIRST;
  private long waitedNanos;
  private boolean waits;

  /**
   * Creates a margin of {@link #FIRST} for a tick of at most three seconds.
   *
   * @param killsPerHour the tolerated rate of kills; 0 or less for a margin that does not learn
   */
  public SafetyMargin(double killsPerHour) {
    this(killsPerHour, Duration.ZERO);
  }

  /**
   * Creates a margin of {@link #FIRST}.
   *
   * @param killsPerHour the tolerated rate of kills; 0 or less for a margin that does not learn
   * @param tick the period at which waiting containers are checked
   */
  public SafetyMargin(double killsPerHour, Duration tick) {
    this.killsPerHour = killsPerHour;
    this.longestGapNanos =
        Math.max(LONGEST_GAP.toNanos(), tick.multipliedBy(LONGEST_GAP_TICKS).toNanos());
  }

  /** Returns the current margin as a share of the node, 0 to {@link #WIDEST}. */
  public double share() {
    return share;
  }

  /**
   * Continues with an earlier margin of this node, bounded to 0 and {@link #WIDEST}; without effect
   * on a margin that does not learn.
   *
   * @param earlier of {@link #share()}; not a number: ignored
   */
  void restore(double earlier) {
    if (killsPerHour > 0 && !Double.isNaN(earlier)) {
      share = Math.max(0, Math.min(WIDEST, earlier));
    }
  }

  /** Records that a container was killed for memory. */
  public void killed() {
    if (killsPerHour > 0) {
      share = Math.min(WIDEST, share + STEP);
    }
    waits = false;
  }

  /**
   * Records that a container waits for memory.
   *
   * @param nowNanos the current time
   */
  public void containerWaits(long nowNanos) {
    long since = nowNanos - waitedNanos;
    if (waits && killsPerHour > 0 && since > 0 && since <= longestGapNanos) {
      share = Math.max(0, share - STEP * killsPerHour * since / NANOS_PER_HOUR);
    }
    waits = true;
    waitedNanos = nowNanos;
  }
}
