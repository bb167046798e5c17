/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.time.Duration;

/**
 * How the CPU quota follows the foreground's health.
 *
 * @param range how the range of the signal is learned
 * @param worse the direction in which the signal moves when the foreground suffers
 * @param increaseCores the increase for an observation inside the range, at most once a second,
 *     cores; positive
 * @param decreaseFactor the divisor of the quota when the foreground does worse; above 1
 * @param minimumCores the minimum quota once a first window was full, cores; positive
 * @param maximumCores the maximum quota, cores; at least the minimum
 * @param startCores the quota after the first window, cores; minimum to maximum
 */
public record CpuQuotaSettings(
    RangeSettings range,
    Worse worse,
    double increaseCores,
    double decreaseFactor,
    double minimumCores,
    double maximumCores,
    double startCores) {

  private static final double DEFAULT_INCREASE_CORES = 0.1;
  private static final double DEFAULT_DECREASE_FACTOR = 2;

  /** The direction in which a signal moves when the foreground suffers. */
  public enum Worse {
    /** It falls, as instructions per cycle do. */
    LOWER,
    /** It rises, as run-queue delay and pressure stall time do. */
    HIGHER
  }

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public CpuQuotaSettings {
    require(increaseCores > 0, "increaseCores must be positive", increaseCores);
    require(decreaseFactor > 1, "decreaseFactor must be above 1", decreaseFactor);
    require(minimumCores > 0, "minimumCores must be positive", minimumCores);
    require(maximumCores >= minimumCores, "maximumCores must not be below minimum", maximumCores);
    require(
        startCores >= minimumCores && startCores <= maximumCores,
        "startCores must lie between minimum and maximum",
        startCores);
  }

  /** Returns the range settings of the paper: w = 15 s, c = 1 (Scavenger, section 6.1). */
  public static RangeSettings defaults() {
    return new RangeSettings(Duration.ofSeconds(15), 1);
  }

  /**
   * Returns the settings that Scavenger found best (section 6.1): an increase of 10 % of a core,
   * and a decrease by half. The paper specifies no minimum, maximum or start.
   *
   * @param range how the range of the signal is learned; the paper's settings are {@link
   *     #defaults()}
   * @param worse the direction in which the signal moves when the foreground suffers
   * @param minimumCores the minimum quota, cores
   * @param maximumCores the maximum quota, cores
   * @param startCores the quota after the first window, cores
   */
  public static CpuQuotaSettings ofThePaper(
      RangeSettings range,
      Worse worse,
      double minimumCores,
      double maximumCores,
      double startCores) {
    return new CpuQuotaSettings(
        range,
        worse,
        DEFAULT_INCREASE_CORES,
        DEFAULT_DECREASE_FACTOR,
        minimumCores,
        maximumCores,
        startCores);
  }

  /**
   * Returns a copy for a signal of another direction.
   *
   * @param direction the direction in which the signal moves when the foreground suffers
   */
  public CpuQuotaSettings with(Worse direction) {
    return new CpuQuotaSettings(
        range, direction, increaseCores, decreaseFactor, minimumCores, maximumCores, startCores);
  }

  private static void require(boolean holds, String rule, double value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ", was " + value);
    }
  }
}
