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
 * When requests are due: a Poisson process whose rate takes one step after another. The same seed
 * gives the same moments, so that every mode meets the same load.
 */
final class LoadSchedule {
  /** Shares of the foreground's capacity; in turns up and down, 10 to 60 % (DIGEST: paper, 6). */
  static final List<Double> LEVELS = List.of(0.10, 0.60, 0.35, 0.50, 0.20, 0.40);

  private LoadSchedule() {}

  /**
   * The load of a run: a time to settle, and the measured one, which begins at the first level and
   * is the same however long it took to settle.
   *
   * @param seed of the measured time; the one after it is used, too
   * @param perSecondAtFull requests per second that are a load of 1
   * @return nanoseconds since the start, rising
   */
  static List<Long> of(long seed, double perSecondAtFull, ColocationTimes times, Duration settle) {
    List<Long> due =
        new ArrayList<>(arrivals(seed + 1, perSecondAtFull, LEVELS, times.step(), settle));
    arrivals(seed, perSecondAtFull, LEVELS, times.step(), times.measured())
        .forEach(moment -> due.add(settle.toNanos() + moment));
    return due;
  }

  /**
   * Moments of a time that begins at the first level.
   *
   * @param seed of the random arrivals
   * @param perSecondAtFull requests per second that are a load of 1
   * @param levels one after the other, from the start again after the last
   * @param step how long each lasts
   * @param length of the whole
   * @return nanoseconds since the start, rising
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
        // The process has no memory: at the next rate the wait begins anew.
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
