/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.util.OptionalLong;

/**
 * What stays free for production to grow into until the next look has its effect. The strictest of
 * several bounds wins.
 *
 * @param bytes R of the law
 * @param bound which one won
 */
public record Reserve(long bytes, Bound bound) {
  /** Below that a look, whose charges the kernel counts in batches, says nothing (ours). */
  private static final long MIN_BYTES = 16L << 20;

  private static final int SHARE_PERCENT = 2;

  /** A node that grows faster than that allows for pays with a kill (the share is rubik's). */
  private static final int MAX_PERCENT = 10;

  /** Why the reserve is what it is. */
  public enum Bound {
    /** The least that makes sense at all. */
    MIN,
    /** A share of the boundary. */
    SHARE,
    /** Production grew so much between two looks. */
    GROWTH,
    /** Production's normal use, {@code mu + c * sigma}, is above what it uses now (Scavenger). */
    NORMAL_USE,
    /** Nobody looks every 20 ms: the most that growth may ask for. */
    SLOW_LOOKS
  }

  /**
   * The reserve while fast looks are taken.
   *
   * @param boundaryBytes B of the law
   * @param largestGrowthBytes by which others grew between two fast looks, as {@link GrowthWindow}
   *     remembers it
   * @param othersBytes O of the law
   * @param normalUseBytes {@code mu + c * sigma} of others' use, if it was learned
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
   * The reserve while a look a second is all there is.
   *
   * @param boundaryBytes B of the law
   */
  public static Reserve ofSlowLooks(long boundaryBytes) {
    return new Reserve(MIN_BYTES, Bound.MIN)
        .or(boundaryBytes / 100 * MAX_PERCENT, Bound.SLOW_LOOKS);
  }

  private Reserve or(long otherBytes, Bound other) {
    return otherBytes > bytes ? new Reserve(otherBytes, other) : this;
  }
}
