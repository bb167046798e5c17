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
 * What {@code bench burst} is asked to do.
 *
 * @param loads mean use of the pool, shares of all quotas
 * @param applications how many share the pool, at least 1
 * @param seconds that each variant is measured for, at least 1
 * @param runInSeconds that pass before, and do not count; of the shared pool {@link
 *     #poolRunInSeconds}
 * @param poolRunInSeconds until quotas that follow the pool have found their place
 * @param repetitions how often everything is measured, at least 1
 * @param seed of the first repetition, and with which variant that begins; all variants of a
 *     repetition get the same bursts
 * @param poolHigh share of the pool above which the shared pool takes back
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
  /** One thread of an application is then four of its quotas, as four are in the model. */
  private static final double MAX_CORES = 0.25;

  /** Of what a quota gives in 100 ms, as in the model. */
  private static final double MEAN_WORK = 0.4;

  /** Of an application's mean, about that of all (SoCC'22). */
  private static final double DEVIATION = 0.25;

  private static final double MIN_MEAN = 0.05;
  private static final double HIGHEST_MEAN = 0.95;
  private static final long QUOTA_PERIOD_MICROS = 100_000;
  private static final double NANOS_PER_MICRO = 1e3;

  /** Copies the list. */
  public BurstOptions {
    loads = List.copyOf(loads);
  }

  /** Quota of each application: together they have all processors, if these are not too many. */
  Bandwidth share(int processors) {
    double cores = Math.min(MAX_CORES, (double) processors / applications);
    return new Bandwidth(Math.round(cores * QUOTA_PERIOD_MICROS), QUOTA_PERIOD_MICROS, 0);
  }

  /** Mean CPU time of a burst, nanoseconds. */
  static double meanWorkNanos(Bandwidth share) {
    return MEAN_WORK * share.quotaMicros() * NANOS_PER_MICRO;
  }

  /** What each application needs in the long run, CPU seconds per second. */
  List<Double> means(double load, Bandwidth share, int repetition) {
    Random random = new Random(seed + repetition);
    return IntStream.range(0, applications)
        .mapToObj(number -> load * (1 + DEVIATION * random.nextGaussian()))
        .map(mean -> share.cores() * Math.min(HIGHEST_MEAN, Math.max(MIN_MEAN, mean)))
        .toList();
  }
}
