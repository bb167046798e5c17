/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.burst;

import io.charon.core.law.SharedPool;

/**
 * Settings of a simulation; each variant is simulated separately with them.
 *
 * @param load mean use of the pool, as a share of all quotas, above 0, below 1
 * @param seed seed of all random numbers; all variants get the same requests
 * @param seconds measured seconds of virtual time, after {@link #RUN_IN_SECONDS}; a multiple of 5,
 *     because the rounds of the shared pool must be complete
 * @param highUse share of the pool above which the shared pool lowers quotas, above 0, at most 1
 */
public record BurstSettings(double load, long seed, int seconds, double highUse) {
  /** Number of applications (the paper). */
  public static final int APPLICATIONS = 20;

  /**
   * Unmeasured time at the start in which the quotas of a shared pool settle: twelve rounds of its
   * law (our choice).
   */
  public static final int RUN_IN_SECONDS = 60;

  /** Checks the ranges. */
  public BurstSettings {
    if (!(load > 0 && load < 1) || seconds < 1 || seconds * 1000L % SharedPool.ROUND_MILLIS != 0) {
      throw new IllegalArgumentException("load %s, %d seconds".formatted(load, seconds));
    }
  }
}
