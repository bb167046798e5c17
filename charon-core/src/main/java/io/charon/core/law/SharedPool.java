/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

/**
 * Lends the idle processor time of a pool to those of its members that their quota holds up, and
 * takes it back when the pool fills: additive increase, multiplicative decrease (Alibaba, SoCC'22,
 * section 4.1), asked every {@link #ROUND_MILLIS}.
 *
 * <p>The paper names no floor of the halving: that nobody falls below his original quota is our
 * reading, since the law only takes back what it gave. Nor does it name the step and the highest
 * quota: both are as in koordinator, whose step of a fifth is made linear here.
 *
 * @param highUse share of the pool's processors above which the pool is full, above 0, at most 1
 */
public record SharedPool(double highUse) {
  /** How often the law is asked, and what it is told about (the paper). */
  public static final long ROUND_MILLIS = 5000;

  /** Where two threads share a physical core: the paper's, below which neither slows the other. */
  public static final double HIGH_USE_OF_THREADS = 0.45;

  /** Where no thread shares its core: the paper's reason is none then (ours). */
  public static final double HIGH_USE_OF_CORES = 0.65;

  /** Of the original quota, each round. */
  public static final double STEP = 0.2;

  /** Highest quota, in original ones. */
  public static final double MAX = 3;

  /** A kernel's quota is whole microseconds of a period: what differs less is the same. */
  private static final double ROUNDING = 0.001;

  /** What becomes of a quota. */
  public enum Change {
    /** The member was throttled, and the pool has room; or it has less than was its own. */
    RAISE,
    /** The pool is full, or the member used more than was its own. */
    HALVE,
    /** Neither, or there is nothing to raise or to take back. */
    HOLD
  }

  /**
   * A member of the pool, over the last round.
   *
   * @param originalCores quota that it had before the law, CPU seconds per second, above 0
   * @param quotaCores quota that it has now, in the same unit
   * @param usedCores what it used on average
   * @param throttled whether its quota kept it from running
   */
  public record Member(
      double originalCores, double quotaCores, double usedCores, boolean throttled) {}

  /**
   * What a member has from now on.
   *
   * @param change what that is to what it had
   * @param quotaCores never below its original quota
   */
  public record Decision(Change change, double quotaCores) {}

  /** Checks the range. */
  public SharedPool {
    if (!(highUse > 0 && highUse <= 1)) {
      throw new IllegalArgumentException("high use " + highUse);
    }
  }

  /**
   * Whether a pool is full.
   *
   * @param usedCores what all members used on average in the last round
   * @param poolCores processors of the pool
   */
  public boolean isFull(double usedCores, double poolCores) {
    return usedCores > highUse * poolCores;
  }

  /**
   * Decides on one member.
   *
   * @param member over the last round
   * @param full whether the pool was
   * @param poolCores processors of the pool: nobody can use more
   */
  public Decision of(Member member, boolean full, double poolCores) {
    double original = member.originalCores();
    double quota = Math.max(original, member.quotaCores());
    double wanted = quota;
    if (full || member.usedCores() > original) {
      wanted = Math.max(original, quota / 2);
    } else if (member.throttled()) {
      double highest = Math.max(original, Math.min(MAX * original, poolCores));
      wanted = Math.min(quota + STEP * original, highest);
    }
    double more = wanted - member.quotaCores();
    if (Math.abs(more) <= ROUNDING * original) {
      return new Decision(Change.HOLD, member.quotaCores());
    }
    // What is above all that the law may give, because the pool has shrunk, is no raise.
    return new Decision(more > 0 ? Change.RAISE : Change.HALVE, wanted);
  }
}
