/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Times at which requests are due: a Poisson process whose rate changes in steps. The same seed
 * gives the same times, so that every mode has the same load.
 */
final class LoadSchedule {
  /**
   * Load levels as shares of the foreground's capacity, alternately high and low: 10 to 60 %
   * (Scavenger, section 6).
   */
  static final List<Double> LEVELS = List.of(0.10, 0.60, 0.35, 0.50, 0.20, 0.40);

  private LoadSchedule() {}

  /**
   * Returns the load of a run: a time to settle, followed by the measured time. The measured time
   * begins at the first level and is the same for any time to settle.
   *
   * @param seed seed of the measured time; the next number is used as well
   * @param perSecondAtFull requests per second at a load of 1
   * @return nanoseconds since the start, ascending
   */
  static List<Long> of(long seed, double perSecondAtFull, ColocationTimes times, Duration settle) {
    List<Long> due =
        new ArrayList<>(arrivals(seed + 1, perSecondAtFull, LEVELS, times.step(), settle));
    arrivals(seed, perSecondAtFull, LEVELS, times.step(), times.measured())
        .forEach(moment -> due.add(settle.toNanos() + moment));
    return due;
  }

  /**
   * Returns the arrivals of a time that begins at the first level.
   *
   * @param seed seed of the random arrivals
   * @param perSecondAtFull requests per second at a load of 1
   * @param levels levels in their order, repeated from the first after the last
   * @param step duration of each level
   * @param length total duration
   * @return nanoseconds since the start, ascending
   */
  static List<Long> arrivals(
      long seed, double perSecondAtFull, List<Double> levels, Duration step, Duration length) {
    Random random = new Random(seed);
    List<Long> due = new ArrayList<>();
    double at = 0;
    while (true) {
      int index = (int) (at / step.toNanos());
      double perNano = levels.get(index % levels.size()) * perSecondAtFull / 1e9;
      double next = at - Math.log(1 - random.nextDouble()) / perNano;
      double end = (index + 1.0) * step.toNanos();
      if (next >= end) {
        // The process is memoryless: at the next rate, the wait starts anew.
        at = end;
      } else {
        at = next;
        due.add((long) at);
      }
      if (at >= length.toNanos()) {
        due.removeIf(moment -> moment >= length.toNanos());
        return due;
      }
    }
  }
}
