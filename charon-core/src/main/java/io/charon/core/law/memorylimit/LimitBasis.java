/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * What the fast law builds on until the next slow look.
 *
 * @param boundaryBytes B of the law
 * @param reserveBytes R of the law
 * @param othersBytes O of the law when it was looked at, swap included
 * @param swapBytes what of it is in swap: fast looks do not see that
 * @param excessBytes Y of the law at that time
 * @param owedBytes what others could still come to hold by right
 * @param claimBytes what production that just started will need ({@link ColdStart}): nobody is
 *     squeezed for it, but the limit does not rise into it
 */
public record LimitBasis(
    long boundaryBytes,
    long reserveBytes,
    long othersBytes,
    long swapBytes,
    long excessBytes,
    long owedBytes,
    long claimBytes) {
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

  /** A quarter of the reserve: for so little the limit is not raised, and nobody dies. */
  public long slackBytes() {
    return reserveBytes / 4;
  }

  /**
   * What a slow look says.
   *
   * @param look who holds what
   * @param reserve what stays free
   * @param swapBytes what others have in swap
   * @param claimBytes of production that just started
   */
  public static LimitBasis of(SlowLook look, Reserve reserve, long swapBytes, long claimBytes) {
    return new LimitBasis(
        look.boundaryBytes(),
        reserve.bytes(),
        look.othersBytes(),
        swapBytes,
        look.excessBytes(),
        look.owedBytes(),
        claimBytes);
  }
}
