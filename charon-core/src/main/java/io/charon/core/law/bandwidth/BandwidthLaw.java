/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.bandwidth;

import io.charon.core.law.SlidingMaximum;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Computes the share of one socket's memory bandwidth that best-effort may use, from the
 * utilization U (Alibaba, SoCC'22, section 4.2):
 *
 * <pre>
 *   P = 120                        U at most 20 % of the highest bandwidth
 *   P = 120 - 100 (U - 20 %)/40 %  between
 *   P = 20                         U at least 60 %
 * </pre>
 *
 * <p>In the paper, P caps requests by Intel DRC, which Linux does not expose; here best-effort may
 * use P/120 of the bandwidth, a mapping of our own. The paper also reduces best-effort only if the
 * memory's latency is above 200 ns, which cannot be measured without privileges: this law is
 * stricter.
 *
 * <p>Our choices: shares are whole tenths, as most processors support them; a share falls at once
 * and rises by a tenth each second, because a lower share itself lowers U; and best-effort that is
 * known to cause less than a tenth of the traffic is not limited. For use by one thread.
 */
public final class BandwidthLaw {
  /** The share without a limit. */
  public static final double ALL = 1;

  /** How long the highest bandwidth counts, and how long it must be observed before it is used. */
  static final Duration LEARNING = Duration.ofHours(24);

  private static final double ROOMY = 0.2;
  private static final double FULL = 0.6;
  private static final double MAX = 120;
  private static final double MIN = 20;
  private static final double MINOR = 0.1;
  private static final double STEP = 0.1;
  private static final long BETWEEN_STEPS_NANOS = Duration.ofMillis(900).toNanos();

  private final OptionalDouble givenPeak;
  private final SlidingMaximum highest = new SlidingMaximum(LEARNING);
  private OptionalLong firstNanos = OptionalLong.empty();
  private long steppedNanos;
  private double share = ALL;

  /**
   * The part of a socket's bandwidth that best-effort may use.
   *
   * @param share of the highest bandwidth, above 0, at most 1
   * @param peak the highest bandwidth, bytes per second; empty while it is unknown
   * @param cause the rule that determined the share
   */
  public record Allowed(double share, OptionalDouble peak, BandwidthCause cause) {}

  /**
   * Creates a law without observations.
   *
   * @param givenPeak the highest bandwidth, bytes per second, above 0; empty: the highest of the
   *     last 24 h, with no limit in the first 24 h
   */
  public BandwidthLaw(OptionalDouble givenPeak) {
    this.givenPeak = givenPeak;
  }

  /**
   * Decides on the share; to be called once a second.
   *
   * @param nanos the current monotonic time
   * @param use the use of one socket
   */
  public Allowed decide(long nanos, BandwidthUse.Domain use) {
    if (use.total().isEmpty()) {
      return new Allowed(share, peak(nanos), BandwidthCause.UNSEEN);
    }
    double total = use.total().getAsDouble();
    if (firstNanos.isEmpty()) {
      firstNanos = OptionalLong.of(nanos);
    }
    highest.add(nanos, Math.round(total));
    OptionalDouble peak = peak(nanos);
    double wanted;
    BandwidthCause cause;
    if (peak.isEmpty() || peak.getAsDouble() <= 0) {
      wanted = ALL;
      cause = BandwidthCause.LEARNING;
    } else {
      wanted = shareAt(total / peak.getAsDouble());
      cause = wanted < ALL ? BandwidthCause.BUSY : BandwidthCause.ROOM;
      if (wanted < ALL && use.bestEffort().orElse(total) < MINOR * total) {
        wanted = ALL;
        cause = BandwidthCause.OTHERS;
      }
    }
    move(nanos, wanted);
    return new Allowed(share, peak, cause);
  }

  private OptionalDouble peak(long nanos) {
    if (givenPeak.isPresent()) {
      return givenPeak;
    }
    OptionalLong seen = highest.value(nanos);
    boolean learned =
        firstNanos.isPresent() && nanos - firstNanos.getAsLong() >= LEARNING.toNanos();
    return learned && seen.isPresent()
        ? OptionalDouble.of((double) seen.getAsLong())
        : OptionalDouble.empty();
  }

  private void move(long nanos, double wanted) {
    if (wanted <= share) {
      share = wanted;
      steppedNanos = nanos;
    } else if (nanos - steppedNanos >= BETWEEN_STEPS_NANOS) {
      share = Math.min(wanted, share + STEP);
      steppedNanos = nanos;
    }
  }

  /** Returns P/120 in whole tenths, for the given share of the highest bandwidth that is in use. */
  static double shareAt(double use) {
    if (use <= ROOMY) {
      return ALL;
    }
    double range = Math.min(use, FULL) - ROOMY;
    double share = (MAX - (MAX - MIN) * range / (FULL - ROOMY)) / MAX;
    return Math.round(share / STEP) * STEP;
  }
}
