/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;

/**
 * How fast production was.
 *
 * @param seconds from its submission to its end
 * @param busySeconds time that a task spent on batches within the window, mean of the tasks
 * @param baseline seconds of each batch that arrived while production was alone
 * @param window seconds of each batch that arrived within the window
 */
record ProductionTimes(
    double seconds, double busySeconds, List<Double> baseline, List<Double> window) {
  /** What is said of production that failed. */
  static final ProductionTimes UNKNOWN =
      new ProductionTimes(Double.NaN, Double.NaN, List.of(), List.of());

  /** Copies the lists. */
  ProductionTimes {
    baseline = List.copyOf(baseline);
    window = List.copyOf(window);
  }

  /**
   * Sorts batches by when they arrived.
   *
   * @param seconds from the submission of the job to its end
   * @param batches of all tasks
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

  /** Median of the batches before best-effort came, seconds; NaN if there were none. */
  double baselineP50() {
    return percentile(baseline, 50);
  }

  /** Percentile of the batches of the window, seconds; NaN if there were none. */
  double windowPercentile(double percent) {
    return percentile(window, percent);
  }

  /** Median batch of the window against that of the stretch before it: 1 is as fast. */
  double vsOwnBaseline() {
    return windowPercentile(50) / baselineP50();
  }

  private static double percentile(List<Double> seconds, double percent) {
    return Percentiles.of(seconds, percent).orElse(Double.NaN);
  }
}
