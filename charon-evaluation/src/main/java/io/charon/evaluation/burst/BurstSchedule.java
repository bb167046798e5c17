/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A sequence of bursts of work that arrive as a Poisson process and have exponential sizes. The
 * counted bursts depend only on the seed, whatever the length of the run-in before them.
 */
final class BurstSchedule {
  private BurstSchedule() {}

  /**
   * A burst.
   *
   * @param arrivalNanos arrival, from the start
   * @param workNanos CPU time of the burst
   * @param idealNanos end of the burst if only earlier bursts delay it, from the start
   */
  record Burst(long arrivalNanos, long workNanos, long idealNanos) {}

  /**
   * Returns the bursts.
   *
   * @param seed seed of the random numbers
   * @param meanGapNanos mean time between two arrivals, above 0
   * @param meanWorkNanos mean CPU time of a burst, above 0
   * @param fromNanos time from which bursts count, from the start; earlier bursts use another seed
   * @param untilNanos time from which no further burst arrives, from the start
   */
  static List<Burst> of(
      long seed, long meanGapNanos, long meanWorkNanos, long fromNanos, long untilNanos) {
    List<Burst> schedule = new ArrayList<>();
    add(schedule, new Random(~seed), meanGapNanos, meanWorkNanos, 0, fromNanos);
    add(schedule, new Random(seed), meanGapNanos, meanWorkNanos, fromNanos, untilNanos);
    return schedule;
  }

  private static void add(
      List<Burst> schedule,
      Random random,
      long meanGapNanos,
      long meanWorkNanos,
      long fromNanos,
      long untilNanos) {
    long free = schedule.isEmpty() ? 0 : schedule.get(schedule.size() - 1).idealNanos();
    for (long arrival = fromNanos + exponential(random, meanGapNanos);
        arrival < untilNanos;
        arrival += exponential(random, meanGapNanos)) {
      long work = exponential(random, meanWorkNanos);
      free = Math.max(free, arrival) + work;
      schedule.add(new Burst(arrival, work, free));
    }
  }

  private static long exponential(Random random, long mean) {
    return Math.max(1, Math.round(mean * -Math.log(1 - random.nextDouble())));
  }
}
