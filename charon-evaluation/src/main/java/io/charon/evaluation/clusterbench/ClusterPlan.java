/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.demo.WorkloadPlan;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sizes and times of the workload, the same in all modes. Production reserves two thirds of what
 * the NodeManagers offer and holds up to 70 % of its reservation (paper, section 5.5: nearly 30 %
 * of allocated memory is unused); the master and tasks of best-effort jobs share the rest, or what
 * the mode lends them. All tasks sleep most of the time, so that memory and not the processors is
 * short.
 *
 * @param horizon how long production is measured and best-effort jobs are counted
 */
record ClusterPlan(Duration horizon) {
  static final int NODES = 2;

  /** Memory of a node, MiB: limit of the cgroup that plays it. */
  static final int NODE_MEMORY_MB = 4096;

  /** 90 % of the node (paper, section 5.1), MiB. */
  static final int NODE_MANAGER_MEMORY_MB = 3684;

  /**
   * Reservation of a production task, MiB. All ApplicationMasters at once still fit beside it on
   * one node, so that production never waits for one of them.
   */
  static final int PRODUCTION_TASK_MB = 2300;

  /** Memory of a Java process besides what it holds for its work, MiB. */
  static final int JVM_MB = 140;

  /** Request of a best-effort task, MiB; it uses about 230. */
  static final int BEST_EFFORT_TASK_MB = 448;

  /** Best-effort jobs that run at the same time; further ones wait for an ApplicationMaster. */
  static final int PARALLEL_BEST_EFFORT_JOBS = 6;

  /** Best-effort containers that may wait on a node (paper, section 5.1). */
  static final int QUEUE_LIMIT = 5;

  /** Enough that only memory limits the number of containers. */
  static final int VIRTUAL_CORES = 64;

  /** A map task reads a part of 4 MiB: about 30 s. */
  static final long READ_BYTES_PER_SECOND = 140_000;

  static final int INPUT_PART_MB = 4;
  static final int INPUT_PARTS = 8;
  static final int MAPS = 2;

  /** Between two best-effort submissions at X1. */
  static final Duration SUBMISSION_INTERVAL = Duration.ofSeconds(30);

  /** Between two batches of a production task. */
  static final Duration BATCH_PAUSE = Duration.ofMillis(250);

  /** Pages that a production task reads in each batch: with them, a batch is a few ms of work. */
  static final int TOUCHES_PER_BATCH = 10_000;

  /** About 20 s, 6 of them to fill the table; of a shorter horizon all. */
  private static final int BATCHES_PER_TASK = 80;

  /** From the start of a batch task to that of the next on its node, seconds. */
  private static final int SECONDS_PER_TASK = 23;

  private static final double HELD_SHARE = 0.7;
  private static final List<Double> STEP_SHARES = List.of(0.3, 0.7, 0.45, 0.85);
  private static final int BATCHES_PER_STEP = 40;

  /** How long best-effort jobs are submitted: what comes later could not end in time. */
  Duration submissions() {
    return horizon.multipliedBy(2).dividedBy(3);
  }

  /** Share of the offered memory that production reserves, 0 to 1. */
  static double productionReservedShare() {
    return (double) (NODES * PRODUCTION_TASK_MB + WorkloadPlan.PRODUCTION_MASTER_MB)
        / (NODES * NODE_MANAGER_MEMORY_MB);
  }

  /** The tasks of a production job: several for each node, or one. */
  List<MemoryTask> productionTasks(ProductionKind kind) {
    return switch (kind) {
      case BATCH -> batchTasks();
      case STEPS -> tasks(NODES, 0, stepsOf());
      // The service itself is the first task.
      case SERVICE ->
          tasks(
              NODES - 1,
              1,
              List.of(
                  new MemoryTask.Step(chunks(HELD_SHARE), (int) horizon.dividedBy(BATCH_PAUSE))));
    };
  }

  private List<MemoryTask> batchTasks() {
    int waves = (int) Math.max(1, horizon.toSeconds() / SECONDS_PER_TASK);
    int batches = (int) Math.min(BATCHES_PER_TASK, horizon.dividedBy(BATCH_PAUSE));
    return tasks(NODES * waves, 0, List.of(new MemoryTask.Step(chunks(HELD_SHARE), batches)));
  }

  private List<MemoryTask.Step> stepsOf() {
    long count = Math.max(2, horizon.dividedBy(BATCH_PAUSE.multipliedBy(BATCHES_PER_STEP)));
    return IntStream.range(0, (int) count)
        .mapToObj(
            step ->
                new MemoryTask.Step(
                    chunks(STEP_SHARES.get(step % STEP_SHARES.size())), BATCHES_PER_STEP))
        .toList();
  }

  private static List<MemoryTask> tasks(int count, int first, List<MemoryTask.Step> steps) {
    return IntStream.range(first, first + count)
        .mapToObj(index -> new MemoryTask(index, BATCH_PAUSE.toMillis(), TOUCHES_PER_BATCH, steps))
        .toList();
  }

  private static int chunks(double shareOfReservation) {
    return (int) ((shareOfReservation * PRODUCTION_TASK_MB - JVM_MB) / PagedMemory.CHUNK_MB);
  }
}
