/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.workload.Side;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Determines the exponent that changes the published ratios so that a workload uses the wanted
 * share of its requests. A task's ratio r becomes r^e, which stays between 0 and 1 and preserves
 * the order of the tasks. The used memory falls with e, so bisection finds the exponent. The sums
 * are kept in a histogram of r, because a trace does not fit into memory.
 */
final class Calibration {
  /** Used over requested memory of Google's cell, over the window of the published figures. */
  static final double CELL_RATIO = 0.50;

  /** Largest accepted difference between a workload's ratio and the wanted one. */
  static final double TOLERANCE = 0.03;

  /** Largest difference that the solution may have, a little less than the accepted one. */
  private static final double AIM = 0.025;

  private static final int BUCKETS = 4096;
  private static final double LOWEST = Math.log(0.001);
  private static final double STRONGEST_BEND = Math.log(50);
  private static final int BISECTIONS = 60;

  /** Byte-milliseconds of the tasks of one side. */
  private static final class Sums {
    private final double[] weights = new double[BUCKETS];
    private double measured;
    private double requested;

    double used(double exponent) {
      double sum = measured;
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        double logRatio = (1 - (bucket + 0.5) / BUCKETS) * LOWEST;
        sum += weights[bucket] * Math.exp(exponent * logRatio);
      }
      return sum;
    }
  }

  private final Map<Side, Sums> sums = new EnumMap<>(Side.class);
  private final MemoryModel model;
  private boolean generated;

  Calibration(MemoryModel model) {
    this.model = model;
    for (Side side : Side.values()) {
      sums.put(side, new Sums());
    }
  }

  void add(TraceJob job) {
    Sums side = sums.get(job.tier().side());
    for (TaskBatch batch : job.batches()) {
      side.requested += batch.load();
      if (batch.measured().isPresent()) {
        side.measured +=
            (double) batch.count()
                * batch.durationMillis()
                * MemoryUse.meanBytes(batch.measured().get());
      } else {
        generated = true;
        double position = 1 - Math.log(model.rawRatio(job, batch)) / LOWEST;
        int bucket = (int) Math.max(0, Math.min(BUCKETS - 1, position * BUCKETS));
        side.weights[bucket] += batch.load() * model.meanOfShape(job, batch);
      }
    }
  }

  /** Returns whether any memory curve is generated instead of measured. */
  boolean generated() {
    return generated;
  }

  /** The exponents of the two sides. */
  record Exponents(double production, double bestEffort) {
    double of(Side side) {
      return side == Side.PRODUCTION ? production : bestEffort;
    }
  }

  /**
   * Returns the exponents with which both sides together come closest to {@link #CELL_RATIO}.
   *
   * @param productionRatio wanted used over requested memory of production alone; if empty, both
   *     sides have the same exponent
   */
  Exponents solve(OptionalDouble productionRatio) {
    Sums production = sums.get(Side.PRODUCTION);
    Sums bestEffort = sums.get(Side.BEST_EFFORT);
    double requested = production.requested + bestEffort.requested;
    double both = bisect(e -> production.used(e) + bestEffort.used(e), CELL_RATIO * requested);
    if (productionRatio.isEmpty()) {
      return new Exponents(both, both);
    }
    double own = bisect(production::used, productionRatio.getAsDouble() * production.requested);
    double used = production.used(own);
    double wanted =
        Math.max(
            (CELL_RATIO - AIM) * requested,
            Math.min((CELL_RATIO + AIM) * requested, used + bestEffort.used(both)));
    return new Exponents(own, bisect(bestEffort::used, wanted - used));
  }

  private interface Used {
    double at(double exponent);
  }

  private static double bisect(Used used, double wanted) {
    double low = -STRONGEST_BEND;
    double high = STRONGEST_BEND;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (used.at(Math.exp(middle)) > wanted) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.exp((low + high) / 2);
  }
}
