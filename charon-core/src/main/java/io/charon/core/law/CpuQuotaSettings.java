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
 * @param worse which way the signal goes when the foreground suffers
 * @param increaseCores what is added for each observation inside of the range, cores; positive
 * @param decreaseFactor what the quota is divided by when the foreground does worse; above 1
 * @param minimumCores what best-effort keeps once a first window was full, cores; positive
 * @param maximumCores what it never exceeds, cores; at least the minimum
 * @param startCores what it starts with after the first window, cores; minimum to maximum
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

  /** Which way a signal goes when the foreground suffers. */
  public enum Worse {
    /** Instructions per cycle. */
    LOWER,
    /** Run-queue delay, pressure stall time. */
    HIGHER
  }

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is outside of its range
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

  /** The paper's: w = 15 s, c = 1 (Scavenger, section 6.1). */
  public static RangeSettings defaults() {
    return new RangeSettings(Duration.ofSeconds(15), 1);
  }

  /**
   * What Scavenger found best (section 6.1): quota + 10 % of a core, or halved. It gives no
   * minimum, maximum and start.
   *
   * @param range how the range of the signal is learned; the paper's are {@link #defaults()}
   * @param worse which way the signal goes when the foreground suffers
   * @param minimumCores what best-effort keeps, cores
   * @param maximumCores what it never exceeds, cores
   * @param startCores what it starts with, cores
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
   * The same for a signal that goes another way.
   *
   * @param direction which way the signal goes when the foreground suffers
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
