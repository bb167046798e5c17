/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;

/**
 * The speed of production within the window, and alone right before and after it. A machine that
 * gets faster or slower meanwhile does so in both stretches, so their mean is what production alone
 * would have taken within the window, up to half of their difference.
 *
 * @param seconds from the job's submission to its end
 * @param busySeconds time that a task spent on batches within the window, mean of the tasks
 * @param before duration of each batch that arrived before the window, seconds
 * @param window duration of each batch that arrived within the window, seconds
 * @param after duration of each batch that arrived in the stretch after the window in which
 *     production was alone again, seconds
 */
record ProductionTimes(
    double seconds,
    double busySeconds,
    List<Double> before,
    List<Double> window,
    List<Double> after) {
  /** The times of production that failed. */
  static final ProductionTimes UNKNOWN =
      new ProductionTimes(Double.NaN, Double.NaN, List.of(), List.of(), List.of());

  /**
   * The processing time of one production batch.
   *
   * @param startMillis when the batch arrived, milliseconds since 1970
   * @param seconds time that the task spent on the batch
   */
  record BatchTime(long startMillis, double seconds) {}

  /** Copies the lists. */
  ProductionTimes {
    before = List.copyOf(before);
    window = List.copyOf(window);
    after = List.copyOf(after);
  }

  /**
   * Divides the batches by their arrival.
   *
   * @param seconds from the submission of the job to its end
   * @param batches batches of all tasks
   * @param windowStartMillis start of the window, milliseconds since 1970
   * @param afterStartMillis start of the stretch after the window in which production is alone
   *     again, milliseconds since 1970
   */
  static ProductionTimes of(
      double seconds,
      List<BatchTime> batches,
      WorkloadPlan plan,
      long windowStartMillis,
      long afterStartMillis) {
    List<Double> window =
        arrived(batches, windowStartMillis, windowStartMillis + plan.times().window().toMillis());
    return new ProductionTimes(
        seconds,
        window.stream().mapToDouble(Double::doubleValue).sum() / plan.nodes(),
        arrived(batches, 0, windowStartMillis),
        window,
        arrived(batches, afterStartMillis, afterStartMillis + plan.times().baseline().toMillis()));
  }

  private static List<Double> arrived(List<BatchTime> batches, long fromMillis, long toMillis) {
    return batches.stream()
        .filter(batch -> batch.startMillis() >= fromMillis && batch.startMillis() < toMillis)
        .map(BatchTime::seconds)
        .toList();
  }

  /** Returns the median batch before the window, seconds; NaN if there was none. */
  double beforeP50() {
    return percentile(before, 50);
  }

  /** Returns the median batch after the window, seconds; NaN if there was none. */
  double afterP50() {
    return percentile(after, 50);
  }

  /**
   * Returns the median batch of production alone, seconds: the mean of those before and after the
   * window; NaN if one of them is unknown.
   */
  double baselineP50() {
    return (beforeP50() + afterP50()) / 2;
  }

  /**
   * Returns the largest possible relative error of {@link #baselineP50} if the machine's pace
   * changed in one direction, at whatever time: half of the difference between before and after.
   */
  double drift() {
    return Math.abs(afterP50() - beforeP50()) / 2 / baselineP50();
  }

  /** Returns the percentile of the batches within the window, seconds; NaN if there was none. */
  double windowPercentile(double percent) {
    return percentile(window, percent);
  }

  /**
   * Returns the median batch of the window relative to that of the baseline; 1 means equally fast.
   */
  double vsOwnBaseline() {
    return windowPercentile(50) / baselineP50();
  }

  private static double percentile(List<Double> seconds, double percent) {
    return Percentiles.of(seconds, percent).orElse(Double.NaN);
  }
}
