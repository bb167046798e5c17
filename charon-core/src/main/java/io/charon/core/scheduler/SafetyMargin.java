/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;

/**
 * How much of the node launches keep free beyond what containers are expected to need. It learns
 * from kills: each makes it wider, and every hour in which somebody waited for memory makes it
 * narrower by as much as the tolerated number of kills made it wider. So a node comes to the rate
 * that is tolerated, whatever it is wrong about: growth, production, page cache (ours).
 */
public final class SafetyMargin {
  /** At the beginning, share of the node. */
  public static final double FIRST = 0.05;

  /** The widest, share of the node. */
  public static final double WIDEST = 0.3;

  private static final double STEP = 0.01;
  private static final double NANOS_PER_HOUR = Duration.ofHours(1).toNanos();

  /** A gap in which nobody asked is no time of waiting. */
  private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(10).toNanos();

  private final double killsPerHour;
  private double share = FIRST;
  private long waitedNanos;
  private boolean waits;

  /**
   * Creates a margin of {@link #FIRST}.
   *
   * @param killsPerHour tolerated; 0 or less for a margin that does not learn
   */
  public SafetyMargin(double killsPerHour) {
    this.killsPerHour = killsPerHour;
  }

  /** The margin now, share of the node, 0 to {@link #WIDEST}. */
  public double share() {
    return share;
  }

  /** A container was killed for memory. */
  public void killed() {
    if (killsPerHour > 0) {
      share = Math.min(WIDEST, share + STEP);
    }
    waits = false;
  }

  /**
   * Somebody waits for memory.
   *
   * @param nowNanos now
   */
  public void waits(long nowNanos) {
    long since = nowNanos - waitedNanos;
    if (waits && killsPerHour > 0 && since > 0 && since <= LONGEST_WAIT_NANOS) {
      share = Math.max(0, share - STEP * killsPerHour * since / NANOS_PER_HOUR);
    }
    waits = true;
    waitedNanos = nowNanos;
  }
}
