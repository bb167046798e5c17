/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

/**
 * Lends the idle processor time of a pool to members that their quota throttles, and reclaims it
 * when the pool fills up: additive increase, multiplicative decrease (Alibaba, SoCC'22, section
 * 4.1). The law is evaluated every {@link #ROUND_MILLIS}.
 *
 * <p>The paper specifies no lower bound for the halving: that no quota falls below its original
 * value is our reading, since the law only reclaims what it gave. The paper does not specify the
 * step and the highest quota either; both are as in koordinator, but its step of a fifth is linear
 * here.
 *
 * @param highUse share of the pool's processors above which the pool is full, above 0, at most 1
 */
public record SharedPool(double highUse) {
  /** Length of a round in milliseconds; the law uses the averages of one round (the paper). */
  public static final long ROUND_MILLIS = 5000;

  /**
   * High use if two threads share a physical core: the paper's value, below which neither thread
   * slows the other down.
   */
  public static final double HIGH_USE_OF_THREADS = 0.45;

  /** High use if no threads share a core, so that the paper's reason does not apply. Our choice. */
  public static final double HIGH_USE_OF_CORES = 0.65;

  /** The increase in each round, as a share of the original quota. */
  public static final double STEP = 0.2;

  /** The highest quota, as a multiple of the original quota. */
  public static final double MAX = 3;

  /** Relative difference that is ignored, because kernels round quotas to whole microseconds. */
  private static final double ROUNDING = 0.001;

  /** The change of a quota. */
  public enum Change {
    /** The member was throttled, and the pool has room; or it has less than its original quota. */
    RAISE,
    /** The pool is full, or the member used more than its original quota. */
    HALVE,
    /** Neither applies, or there is nothing to raise or to reclaim. */
    HOLD
  }

  /**
   * A member of the pool over the last round.
   *
   * @param originalCores its quota without the law, CPU seconds per second, above 0
   * @param quotaCores its current quota, in the same unit
   * @param usedCores its average use
   * @param throttled whether its quota throttled it
   */
  public record Member(
      double originalCores, double quotaCores, double usedCores, boolean throttled) {}

  /**
   * The new quota of a member.
   *
   * @param change the change from the current quota
   * @param quotaCores the new quota, never below the original one
   */
  public record Decision(Change change, double quotaCores) {}

  /** Checks the range. */
  public SharedPool {
    if (!(highUse > 0 && highUse <= 1)) {
      throw new IllegalArgumentException("highUse must be above 0 and at most 1, was " + highUse);
    }
  }

  /**
   * Returns whether the pool is full.
   *
   * @param usedCores the average use of all members in the last round
   * @param poolCores number of processors of the pool
   */
  public boolean isFull(double usedCores, double poolCores) {
    return usedCores > highUse * poolCores;
  }

  /**
   * Decides on the quota of one member.
   *
   * @param member the member over the last round
   * @param full whether the pool was full
   * @param poolCores number of processors of the pool, which bounds the quota
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
    // A throttled member whose quota is above the maximum, because the pool has shrunk, gets a
    // lower one.
    return new Decision(more > 0 ? Change.RAISE : Change.HALVE, wanted);
  }
}
