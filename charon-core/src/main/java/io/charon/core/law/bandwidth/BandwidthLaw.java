/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.bandwidth;

import io.charon.core.law.HighestLately;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How much of one socket's memory bandwidth best-effort may use (Alibaba, SoCC'22, section 4.2):
 *
 * <pre>
 *   P = 120                        U at most 20 % of the highest bandwidth
 *   P = 120 - 100 (U - 20 %)/40 %  between
 *   P = 20                         U at least 60 %
 * </pre>
 *
 * <p>In the paper P caps requests by Intel DRC, which Linux does not show; here best-effort may use
 * P/120 of the bandwidth, a mapping of ours. The paper also gives way only where the memory's
 * latency is above 200 ns, which is not to be had without privilege: this law is stricter.
 *
 * <p>Ours: shares are whole tenths, as most processors have them; it takes at once and gives back a
 * tenth each second, because what it takes lowers U itself; and best-effort that is known to use
 * less than a tenth of what is used is left alone. For one thread.
 */
public final class BandwidthLaw {
  /** All that there is. */
  public static final double ALL = 1;

  /** For how long the highest bandwidth counts, and how long it must be looked for. */
  static final Duration LEARNING = Duration.ofHours(24);

  private static final double ROOMY = 0.2;
  private static final double FULL = 0.6;
  private static final double MAX = 120;
  private static final double MIN = 20;
  private static final double MINOR = 0.1;
  private static final double STEP = 0.1;
  private static final long BETWEEN_STEPS_NANOS = Duration.ofMillis(900).toNanos();

  private final OptionalDouble givenPeak;
  private final HighestLately highest = new HighestLately(LEARNING);
  private OptionalLong firstNanos = OptionalLong.empty();
  private long steppedNanos;
  private double share = ALL;

  /**
   * What best-effort may use of a socket's bandwidth.
   *
   * @param share of what there is, above 0, at most 1
   * @param peak what there is, bytes per second; empty while nobody knows
   * @param cause why
   */
  public record Allowed(double share, OptionalDouble peak, BandwidthCause cause) {}

  /**
   * One that has seen nothing yet.
   *
   * @param givenPeak what there is, bytes per second, above 0; empty: the highest of the last 24 h,
   *     and no limit before these are over
   */
  public BandwidthLaw(OptionalDouble givenPeak) {
    this.givenPeak = givenPeak;
  }

  /**
   * Decides; to be asked once a second.
   *
   * @param nanos when, monotonic
   * @param use of one socket
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

  /** P/120 in whole tenths, by the share of the highest bandwidth that is in use. */
  static double shareAt(double use) {
    if (use <= ROOMY) {
      return ALL;
    }
    double range = Math.min(use, FULL) - ROOMY;
    double share = (MAX - (MAX - MIN) * range / (FULL - ROOMY)) / MAX;
    return Math.round(share / STEP) * STEP;
  }
}
