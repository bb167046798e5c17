/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;

/**
 * How many standard deviations launches keep free beyond what containers are expected to need. It
 * learns from kills: each makes it wider, and every hour in which somebody waited for memory makes
 * it narrower by as much as the tolerated number of kills made it wider. So a node comes to the
 * rate that is tolerated, however wrong its estimates are (ours).
 */
public final class SafetyMargin {
  /** At the beginning, standard deviations. */
  public static final double FIRST = 2;

  /** The widest, standard deviations. */
  public static final double WIDEST = 4;

  private static final double STEP = 0.5;
  private static final double NANOS_PER_HOUR = Duration.ofHours(1).toNanos();

  /** A gap in which nobody asked is no time of waiting. */
  private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(10).toNanos();

  private final double killsPerHour;
  private double deviations;
  private long waitedNanos;
  private boolean waits;

  /**
   * Creates a margin.
   *
   * @param deviations the first value; what is out of 0 to {@link #WIDEST}, as in a damaged file,
   *     is brought there, and what is no number becomes {@link #FIRST}
   * @param killsPerHour tolerated; 0 or less for a margin that does not learn
   */
  public SafetyMargin(double deviations, double killsPerHour) {
    this.deviations = Double.isNaN(deviations) ? FIRST : Math.max(0, Math.min(WIDEST, deviations));
    this.killsPerHour = killsPerHour;
  }

  /** The margin now, standard deviations, 0 to {@link #WIDEST}. */
  public double deviations() {
    return deviations;
  }

  /** A container was killed for memory. */
  public void killed() {
    if (killsPerHour > 0) {
      deviations = Math.min(WIDEST, deviations + STEP);
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
      deviations = Math.max(0, deviations - STEP * killsPerHour * since / NANOS_PER_HOUR);
    }
    waits = true;
    waitedNanos = nowNanos;
  }
}
