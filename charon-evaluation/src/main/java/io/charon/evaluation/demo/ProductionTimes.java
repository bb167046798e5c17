/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;

/**
 * The speed of production.
 *
 * @param seconds from the job's submission to its end
 * @param busySeconds time that a task spent on batches within the window, mean of the tasks
 * @param baseline duration of each batch that arrived before the window, seconds
 * @param window duration of each batch that arrived within the window, seconds
 */
record ProductionTimes(
    double seconds, double busySeconds, List<Double> baseline, List<Double> window) {
  /** The times of production that failed. */
  static final ProductionTimes UNKNOWN =
      new ProductionTimes(Double.NaN, Double.NaN, List.of(), List.of());

  /** Copies the lists. */
  ProductionTimes {
    baseline = List.copyOf(baseline);
    window = List.copyOf(window);
  }

  /**
   * Divides the batches by their arrival into those before and those within the window.
   *
   * @param seconds from the submission of the job to its end
   * @param batches batches of all tasks
   * @param windowStartMillis start of the window, milliseconds since 1970
   */
  static ProductionTimes of(
      double seconds, List<BatchTime> batches, WorkloadPlan plan, long windowStartMillis) {
    long endMillis = windowStartMillis + plan.window().toMillis();
    List<Double> window =
        batches.stream()
            .filter(
                batch ->
                    batch.startMillis() >= windowStartMillis && batch.startMillis() < endMillis)
            .map(BatchTime::seconds)
            .toList();
    return new ProductionTimes(
        seconds,
        window.stream().mapToDouble(Double::doubleValue).sum() / plan.nodes(),
        batches.stream()
            .filter(batch -> batch.startMillis() < windowStartMillis)
            .map(BatchTime::seconds)
            .toList(),
        window);
  }

  /** Returns the median batch before the window, seconds; NaN if there was none. */
  double baselineP50() {
    return percentile(baseline, 50);
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
