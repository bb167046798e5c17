/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Options of {@code bench burst}.
 *
 * @param loads mean uses of the pool, as shares of all quotas
 * @param applications number of applications that share the pool, at least 1
 * @param seconds time for which each variant is measured, at least 1
 * @param runInSeconds time before the measurement, which does not count; for the shared pool it is
 *     {@link #poolRunInSeconds}
 * @param poolRunInSeconds time in which quotas that follow the pool converge
 * @param repetitions number of measurements of everything, at least 1
 * @param seed seed of the first repetition, which also selects its first variant; all variants of a
 *     repetition get the same bursts
 * @param poolHigh share of the pool above which the shared pool reclaims quota
 */
public record BurstOptions(
    List<Double> loads,
    int applications,
    int seconds,
    int runInSeconds,
    int poolRunInSeconds,
    int repetitions,
    long seed,
    double poolHigh) {
  /**
   * Maximum quota in cores: one thread of an application can then use four quotas, as in the model.
   */
  private static final double MAX_CORES = 0.25;

  /** Mean work of a burst, as a fraction of what a quota gives in 100 ms, as in the model. */
  private static final double MEAN_WORK = 0.4;

  /** Standard deviation of an application's mean, relative to the mean of all (SoCC'22). */
  private static final double DEVIATION = 0.25;

  private static final double MIN_MEAN = 0.05;
  private static final double MAX_MEAN = 0.95;
  private static final long QUOTA_PERIOD_MICROS = 100_000;
  private static final double NANOS_PER_MICRO = 1e3;

  /** Copies the list. */
  public BurstOptions {
    loads = List.copyOf(loads);
  }

  /**
   * Returns the quota of each application: an equal part of all processors, at most a quarter of
   * one.
   */
  Bandwidth share(int processors) {
    double cores = Math.min(MAX_CORES, (double) processors / applications);
    return new Bandwidth(Math.round(cores * QUOTA_PERIOD_MICROS), QUOTA_PERIOD_MICROS, 0);
  }

  /** Returns the mean CPU time of a burst, in nanoseconds. */
  static double meanWorkNanos(Bandwidth share) {
    return MEAN_WORK * share.quotaMicros() * NANOS_PER_MICRO;
  }

  /** Returns the mean demand of each application, in CPU seconds per second. */
  List<Double> means(double load, Bandwidth share, int repetition) {
    Random random = new Random(seed + repetition);
    return IntStream.range(0, applications)
        .mapToObj(number -> load * (1 + DEVIATION * random.nextGaussian()))
        .map(mean -> share.cores() * Math.min(MAX_MEAN, Math.max(MIN_MEAN, mean)))
        .toList();
  }
}
