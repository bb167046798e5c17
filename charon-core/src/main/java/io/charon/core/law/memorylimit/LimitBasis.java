/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * The values on which the fast law relies until the next slow sample.
 *
 * @param boundaryBytes B of the law
 * @param reserveBytes R of the law
 * @param othersBytes O of the law at the slow sample, swap included
 * @param swapBytes the part of O that is in swap, which fast samples do not include
 * @param excessBytes Y of the law at the slow sample
 * @param owedBytes the part of the others' entitlement that they do not use yet
 * @param claimBytes the memory that production which just started will need ({@link ColdStart}):
 *     the limit is not lowered for it, but does not rise into it
 * @param growsIntoExcess whether best-effort may be given the others' excess: only if the kernel
 *     reclaims that first when memory is short, and not what others are entitled to
 */
public record LimitBasis(
    long boundaryBytes,
    long reserveBytes,
    long othersBytes,
    long swapBytes,
    long excessBytes,
    long owedBytes,
    long claimBytes,
    boolean growsIntoExcess) {
  /** Checks the ranges. */
  public LimitBasis {
    if (boundaryBytes < 0
        || reserveBytes < 0
        || othersBytes < 0
        || swapBytes < 0
        || excessBytes < 0
        || owedBytes < 0
        || claimBytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative");
    }
  }

  /** Returns a copy with another permission to grow into the others' excess. */
  public LimitBasis growingIntoExcess(boolean grows) {
    return new LimitBasis(
        boundaryBytes,
        reserveBytes,
        othersBytes,
        swapBytes,
        excessBytes,
        owedBytes,
        claimBytes,
        grows);
  }

  /** Returns a quarter of the reserve: for less, the limit is not raised and nothing is killed. */
  public long slackBytes() {
    return reserveBytes / 4;
  }

  /**
   * Returns the basis that results from a slow sample.
   *
   * @param sample the slow sample
   * @param reserve the reserve that stays free
   * @param swapBytes the others' memory in swap
   * @param claimBytes the claims of production that just started
   * @param growsIntoExcess whether best-effort may be given the others' excess
   */
  public static LimitBasis of(
      SlowSample sample,
      Reserve reserve,
      long swapBytes,
      long claimBytes,
      boolean growsIntoExcess) {
    return new LimitBasis(
        sample.boundaryBytes(),
        reserve.bytes(),
        sample.othersBytes(),
        swapBytes,
        sample.excessBytes(),
        sample.owedBytes(),
        claimBytes,
        growsIntoExcess);
  }
}
