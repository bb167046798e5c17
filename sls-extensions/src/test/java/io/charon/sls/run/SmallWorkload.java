/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import io.charon.sls.workload.JobType;
import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.TaskGroup;
import io.charon.sls.workload.WorkloadSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Jobs defined by hand, and a small random mix. */
final class SmallWorkload {
  static final long GB = 1L << 30;

  private SmallWorkload() {}

  static WorkloadOpener of(SimulatedJob... jobs) {
    return seed -> source(Arrays.asList(jobs));
  }

  static SimulatedJob job(
      String id, Side side, JobType type, long submitMillis, TaskGroup... tasks) {
    return new SimulatedJob(id, id, "user", side, type, submitMillis, List.of(tasks));
  }

  static TaskGroup tasks(int count, double requestGb, int seconds, MemoryCurve memory) {
    return new TaskGroup(count, (long) (requestGb * GB), 1, 0.5, seconds * 1000L, memory);
  }

  /** Returns memory that starts at a tenth, grows for a third of the task, and then is constant. */
  static MemoryCurve growing(double peakGb) {
    long peak = (long) (peakGb * GB);
    return new MemoryCurve(
        List.of(
            new MemoryCurve.Point(0, peak / 10, 0),
            new MemoryCurve.Point(0.33, peak - peak / 10, peak / 10)));
  }

  /**
   * Returns twenty minutes of production and best-effort jobs that need more than four small nodes.
   */
  static WorkloadOpener mix() {
    return mix(25);
  }

  /** Returns the same mix with a limit of the production tasks beyond two in each job. */
  static WorkloadOpener mix(int productionTasks) {
    return seed -> {
      Random random = new Random(seed);
      List<SimulatedJob> jobs = new ArrayList<>();
      long at = 0;
      for (int i = 0; i < 60; i++) {
        boolean production = random.nextInt(10) == 0;
        double peakGb = 0.5 + 3 * random.nextDouble();
        jobs.add(
            job(
                (production ? "production" : "best-effort") + i,
                production ? Side.PRODUCTION : Side.BEST_EFFORT,
                JobType.MAPREDUCE,
                at,
                tasks(
                    2 + random.nextInt(production ? productionTasks : 25),
                    production ? peakGb / 0.7 : peakGb * (0.7 + 0.6 * random.nextDouble()),
                    30 + random.nextInt(production ? 600 : 200),
                    growing(peakGb))));
        at += random.nextInt(40_000);
      }
      return source(jobs);
    };
  }

  private static WorkloadSource source(List<SimulatedJob> jobs) {
    Iterator<SimulatedJob> left = jobs.iterator();
    return new WorkloadSource() {
      @Override
      public Optional<SimulatedJob> next() {
        return left.hasNext() ? Optional.of(left.next()) : Optional.empty();
      }

      @Override
      public void close() {}
    };
  }
}
