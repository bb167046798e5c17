/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.burst;

import io.charon.core.law.SharedPool;

/**
 * What is simulated, each variant of it by itself.
 *
 * @param load mean use of the pool, as a share of all quotas, above 0, below 1
 * @param seed of everything that is random; all variants get the same requests
 * @param seconds of virtual time that are measured, after {@link #RUN_IN_SECONDS}; whole rounds of
 *     the shared pool, so a multiple of 5
 * @param highUse share of the pool above which the shared pool takes back, above 0, at most 1
 */
public record BurstSettings(double load, long seed, int seconds, double highUse) {
  /** The paper's. */
  public static final int APPLICATIONS = 20;

  /** Until quotas of a shared pool have found their place: twelve rounds of its law (ours). */
  public static final int RUN_IN_SECONDS = 60;

  /** Checks the ranges. */
  public BurstSettings {
    if (!(load > 0 && load < 1) || seconds < 1 || seconds * 1000L % SharedPool.ROUND_MILLIS != 0) {
      throw new IllegalArgumentException("load %s, %d seconds".formatted(load, seconds));
    }
  }
}
