/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.util.OptionalLong;

/**
 * The memory that stays free so that production can grow until the next sample takes effect. The
 * largest of several bounds applies.
 *
 * @param bytes R of the law
 * @param bound the bound that applies
 */
public record Reserve(long bytes, Bound bound) {
  /**
   * Minimum reserve in bytes: the kernel counts charges in batches, so a sample cannot resolve
   * less. Our choice.
   */
  private static final long MIN_BYTES = 16L << 20;

  private static final int SHARE_PERCENT = 2;

  /**
   * Maximum for growth: if production grows faster, best-effort containers may be killed (the share
   * is rubik's).
   */
  private static final int MAX_PERCENT = 10;

  /** The bound that determines the reserve. */
  public enum Bound {
    /** The minimum useful reserve. */
    MIN,
    /** A share of the boundary. */
    SHARE,
    /** Production's largest growth between two samples. */
    GROWTH,
    /** Production's normal use, {@code mu + c * sigma}, exceeds its current use (Scavenger). */
    NORMAL_USE,
    /** There are no samples every 20 ms: the maximum for growth applies. */
    SLOW_SAMPLES
  }

  /**
   * Returns the reserve while fast samples are taken.
   *
   * @param boundaryBytes B of the law
   * @param largestGrowthBytes the largest growth of the others between two fast samples, as
   *     remembered by {@link GrowthWindow}
   * @param othersBytes O of the law
   * @param normalUseBytes {@code mu + c * sigma} of the others' use, if it was learned
   */
  public static Reserve of(
      long boundaryBytes, long largestGrowthBytes, long othersBytes, OptionalLong normalUseBytes) {
    Reserve reserve = new Reserve(MIN_BYTES, Bound.MIN);
    reserve = reserve.or(boundaryBytes / 100 * SHARE_PERCENT, Bound.SHARE);
    reserve =
        reserve.or(
            Math.min(2 * largestGrowthBytes, boundaryBytes / 100 * MAX_PERCENT), Bound.GROWTH);
    return normalUseBytes.isPresent()
        ? reserve.or(normalUseBytes.getAsLong() - othersBytes, Bound.NORMAL_USE)
        : reserve;
  }

  /**
   * Returns the reserve while samples are taken only once a second.
   *
   * @param boundaryBytes B of the law
   */
  public static Reserve forSlowSamples(long boundaryBytes) {
    return new Reserve(MIN_BYTES, Bound.MIN)
        .or(boundaryBytes / 100 * MAX_PERCENT, Bound.SLOW_SAMPLES);
  }

  private Reserve or(long otherBytes, Bound other) {
    return otherBytes > bytes ? new Reserve(otherBytes, other) : this;
  }
}
