/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.ContainerBandwidths.Burst;

/**
 * Turns a CPU quota into a token bucket of the same share: a container that used less than its
 * share may use more for a moment. The idea and the size, ten quotas of 100 ms, are those of
 * Alibaba's kernel (SoCC'22, section 4.1). Mainline Linux refuses a burst above the quota, but
 * quota and burst are per period: with a period of <i>factor</i> times 50 ms and a burst as large
 * as the quota, <i>factor</i> quotas of 100 ms can be used at once. This construction is our
 * choice.
 *
 * @param factor number of quotas of 100 ms that may be used at once, 1 to 20
 * @param burst the capability of the kernel
 */
public record TokenBucket(int factor, Burst burst) {
  /** The largest factor: its period is the longest that the kernel accepts, 1 s. */
  public static final int MAX = 20;

  /** Half of the usual period: one half of the bucket is the quota, the other half the burst. */
  private static final long HALF_QUOTA_PERIOD_MICROS = 50_000;

  private static final long QUOTA_PERIOD_MICROS = 100_000;

  /** Checks the range. */
  public TokenBucket {
    if (factor < 1 || factor > MAX) {
      throw new IllegalArgumentException("factor " + factor);
    }
  }

  /**
   * Returns the bucket of a quota. The bucket of a bucket is the bucket itself, so the law is
   * idempotent.
   *
   * @param quota the bucket gives no more in the long run, because a cgroup must not have more than
   *     its parent
   * @return a bandwidth with at least the original period and, if the kernel allows it, at least
   *     the original burst
   */
  public Bandwidth of(Bandwidth quota) {
    if (burst == Burst.BEYOND_QUOTA) {
      long saved = factor * scale(quota.quotaMicros(), QUOTA_PERIOD_MICROS, quota.periodMicros());
      return new Bandwidth(
          quota.quotaMicros(), quota.periodMicros(), Math.max(saved, quota.burstMicros()));
    }
    long period = Math.max(quota.periodMicros(), factor * HALF_QUOTA_PERIOD_MICROS);
    long longer = scale(quota.quotaMicros(), period, quota.periodMicros());
    return new Bandwidth(longer, period, burst == Burst.NONE ? quota.burstMicros() : longer);
  }

  /** Rounds down, so that the share never grows. */
  private static long scale(long quotaMicros, long toMicros, long fromMicros) {
    return toMicros == fromMicros
        ? quotaMicros
        : (long) Math.floor((double) quotaMicros * toMicros / fromMicros);
  }
}
