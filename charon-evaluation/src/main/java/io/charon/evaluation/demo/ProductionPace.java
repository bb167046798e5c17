/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The arrival rate and number of production batches, derived from the time that a batch takes on
 * this machine, so that production is equally busy on fast and slow machines and outlasts the
 * measurement on both. The same for all modes of all runs.
 *
 * @param arrival time from the end of a batch to the arrival of the next one
 * @param batches batches of each production task: the fixed work of window and baselines
 */
record ProductionPace(Duration arrival, int batches) {
  /**
   * Ratio of the arrival time to the processor time of a batch; production is busy 2/7 of the time.
   */
  private static final double ARRIVAL_SHARE = 2.5;

  /** Factor on the number of batches that fill the time, so that production outlasts it. */
  private static final double MORE_BATCHES = 1.02;

  private static final int HELD = 4;
  private static final int WARM_UP = 40;
  private static final int MEASURED = 20;

  /**
   * Returns the pace for a given processor time of a batch.
   *
   * @throws IllegalArgumentException if a batch takes no time
   */
  static ProductionPace of(Duration batch, WorkloadPlan plan) {
    if (batch.toNanos() <= 0) {
      throw new IllegalArgumentException("A batch that takes " + batch);
    }
    long arrivalMillis = Math.max(1, Math.round(ARRIVAL_SHARE * batch.toNanos() / 1e7) * 10);
    double batchMillis = batch.toNanos() / 1e6;
    return new ProductionPace(
        Duration.ofMillis(arrivalMillis),
        (int)
            Math.ceil(
                MORE_BATCHES * plan.times().measured().toMillis() / (batchMillis + arrivalMillis)));
  }

  /**
   * Measures the processor time of a batch, which does not depend on what else runs on the machine,
   * by processing some batches; takes some seconds.
   *
   * @param tasks number of threads that process batches concurrently
   * @throws IOException if the input cannot be read
   */
  static Duration measureBatch(InputText input, int tasks)
      throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(tasks);
    try {
      List<Callable<long[]>> work = new ArrayList<>();
      for (int task = 0; task < tasks; task++) {
        work.add(() -> batchNanos(input.parts()));
      }
      List<Long> nanos = new ArrayList<>();
      for (Future<long[]> measured : threads.invokeAll(work)) {
        Arrays.stream(measured.get()).forEach(nanos::add);
      }
      nanos.sort(null);
      return Duration.ofNanos(nanos.get(nanos.size() / 2));
    } catch (ExecutionException e) {
      throw new IOException("Production's batch could not be timed: " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static long[] batchNanos(List<Path> parts) throws IOException {
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    ProductionWork work = new ProductionWork(HELD, ProductionMapper.largest(parts));
    long[] nanos = new long[MEASURED];
    for (int batch = -WARM_UP; batch < MEASURED; batch++) {
      long start = clock.getCurrentThreadCpuTime();
      work.add(Files.readAllBytes(parts.get(Math.floorMod(batch, parts.size()))));
      if (batch >= 0) {
        nanos[batch] = clock.getCurrentThreadCpuTime() - start;
      }
    }
    return nanos;
  }
}
