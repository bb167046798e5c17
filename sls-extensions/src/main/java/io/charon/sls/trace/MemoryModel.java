/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.MemoryCurve.Point;
import io.charon.sls.workload.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Models the memory of tasks for which the trace has no memory: request x ratio of the tier x
 * shape. Everything is drawn from the seed and the job's name or the task's id, so recurring jobs
 * use about the same memory and a task always gets the same curve.
 *
 * <p>From published figures: the ratio (by tier) and the mean over the peak. Our choice: tasks of
 * one job differ by up to 10 percent; memory starts at a tenth of its level and reaches the level
 * in 30 s, at most a fifth of the task; the peak is a triangle over a tenth of the task, somewhere
 * after that ramp; a task never needs more than it requests; page cache is the tier's share of the
 * memory at every moment, and two thirds of it are used repeatedly.
 */
final class MemoryModel {
  private static final double START = 0.1;
  private static final double RAMP_MILLIS = 30_000;
  private static final double LONGEST_RAMP = 0.2;
  private static final double PEAK_WIDTH = 0.1;
  private static final double SMALLEST_RATIO = 0.005;
  private static final double HOT_PAGE_CACHE = 2.0 / 3;
  private static final double DIFFERENCE_OF_TASKS = 0.1;

  private final CellStatistics statistics;
  private final StableRandom random;
  private final OptionalDouble productionPageCache;

  MemoryModel(CellStatistics statistics, long seed) {
    this(statistics, seed, OptionalDouble.empty());
  }

  /**
   * Creates a model.
   *
   * @param productionPageCache share of production's memory that is page cache; if empty, the
   *     published share
   */
  MemoryModel(CellStatistics statistics, long seed, OptionalDouble productionPageCache) {
    this.statistics = statistics;
    this.productionPageCache = productionPageCache;
    this.random = new StableRandom(seed);
  }

  /** Returns peak over requested memory before calibration, above 0, at most 1. */
  double rawRatio(TraceJob job, TaskBatch batch) {
    double ofJob =
        statistics.at(
            statistics.tier(job.tier()).memoryRatio(), random.uniform("memory", job.name()));
    double step = 2 * (batch.variant() + 0.5) / TaskBatch.VARIANTS - 1;
    return Math.max(
        SMALLEST_RATIO, Math.min(1, Math.min(1, ofJob) * (1 + DIFFERENCE_OF_TASKS * step)));
  }

  /** Returns the curve of a task with a peak of the given share of its request. */
  MemoryCurve curve(TraceJob job, TaskBatch batch, double ratio) {
    double peak = ratio * batch.requestedBytes();
    double published = statistics.tier(job.tier()).pageCacheShare();
    double fileShare =
        job.tier().side() == Side.PRODUCTION ? productionPageCache.orElse(published) : published;
    List<Point> points = new ArrayList<>();
    for (double[] point : shape(job, batch)) {
      long all = Math.round(peak * point[1]);
      long file = Math.round(all * fileShare);
      long hot = Math.round(file * HOT_PAGE_CACHE);
      points.add(new Point(point[0], all - file, hot, file - hot));
    }
    return new MemoryCurve(points);
  }

  /** Returns mean over peak of the task's memory. */
  double meanOfShape(TraceJob job, TaskBatch batch) {
    List<double[]> points = shape(job, batch);
    double sum = 0;
    for (int i = 1; i < points.size(); i++) {
      sum +=
          (points.get(i)[0] - points.get(i - 1)[0]) * (points.get(i)[1] + points.get(i - 1)[1]) / 2;
    }
    return sum;
  }

  /** Returns used over requested processor time, 0 to 1. */
  double processorRatio(TraceJob job) {
    return Math.min(
        1,
        statistics.at(
            statistics.tier(job.tier()).processorRatio(), random.uniform("processor", job.name())));
  }

  /** Returns points of progress and share of the peak: ramp, level, peak, level. */
  private List<double[]> shape(TraceJob job, TaskBatch batch) {
    String id = job.id() + "/" + batch.variant();
    double meanOverPeak = statistics.meanOverPeak(random.uniform("shape", id));
    double level = Math.max(0, (meanOverPeak - PEAK_WIDTH / 2) / (1 - PEAK_WIDTH / 2));
    double ramp = Math.min(LONGEST_RAMP, RAMP_MILLIS / batch.durationMillis());
    double room = 1 - ramp - PEAK_WIDTH;
    double peakStart = ramp + room * (0.01 + 0.98 * random.uniform("peak", id));
    return List.of(
        new double[] {0, START * level},
        new double[] {ramp, level},
        new double[] {peakStart, level},
        new double[] {peakStart + PEAK_WIDTH / 2, 1},
        new double[] {peakStart + PEAK_WIDTH, level},
        new double[] {1, level});
  }
}
