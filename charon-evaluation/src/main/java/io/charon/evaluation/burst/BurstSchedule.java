/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Bursts of work at random instants, one after the other: the same for the same seed. Gaps and
 * sizes are exponential, with the means below, so that the work needs 0.12 cores in the long run,
 * three fifths of a quota of 0.2.
 */
final class BurstSchedule {
  /** Of CPU time (ours). */
  static final double MEAN_WORK_MILLIS = 40;

  /** Between two beginnings (ours). */
  static final double MEAN_GAP_MILLIS = 333;

  private static final double NANOS_PER_MILLI = 1e6;

  private BurstSchedule() {}

  /**
   * A burst.
   *
   * @param arrivalNanos when it is to begin, from the start
   * @param workNanos CPU time that it takes
   * @param idealNanos when it ends where nobody holds it up but the bursts before it, from the
   *     start
   */
  record Burst(long arrivalNanos, long workNanos, long idealNanos) {}

  /**
   * The bursts.
   *
   * @param seed of the random numbers
   * @param bursts how many, at least 0
   */
  static List<Burst> of(long seed, int bursts) {
    Random random = new Random(seed);
    List<Long> gaps = exponential(random, bursts, MEAN_GAP_MILLIS);
    List<Long> works = exponential(random, bursts, MEAN_WORK_MILLIS);
    List<Burst> schedule = new ArrayList<>();
    long arrival = 0;
    long free = 0;
    for (int i = 0; i < bursts; i++) {
      arrival += gaps.get(i);
      free = Math.max(free, arrival) + works.get(i);
      schedule.add(new Burst(arrival, works.get(i), free));
    }
    return schedule;
  }

  /** Scaled to exactly the mean, or a short run would be about another share. */
  private static List<Long> exponential(Random random, int number, double meanMillis) {
    double[] raw = random.doubles(number).map(share -> -Math.log(1 - share)).toArray();
    double factor = number * meanMillis * NANOS_PER_MILLI / Arrays.stream(raw).sum();
    return Arrays.stream(raw).mapToObj(value -> Math.round(value * factor)).toList();
  }
}
