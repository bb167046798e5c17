/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.demo.WorkloadKind;
import io.charon.evaluation.demo.WorkloadPlan;
import io.charon.evaluation.demo.WorkloadTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sizes and times of the workload, the same in all modes. Production reserves two thirds of the
 * memory that the NodeManagers offer and holds 70 % of its reservation (paper, section 5.5: nearly
 * 30 % of allocated memory is unused), or 30 to 85 % if it works in steps. ApplicationMasters and
 * tasks of best-effort jobs share the rest, plus the memory that the mode lends them. All tasks
 * sleep most of the time, so that memory is short and processors are not.
 *
 * @param horizon how long production is measured and best-effort jobs are counted
 */
record ClusterPlan(Duration horizon) {
  static final int NODES = 2;

  /** Memory of a node, MiB: the limit of the cgroup that represents it. */
  static final int NODE_MEMORY_MB = 4096;

  /** Memory that a NodeManager offers: 90 % of the node (paper, section 5.1), MiB. */
  static final int NODE_MANAGER_MEMORY_MB = 3684;

  /**
   * Reservation of a production task, MiB. All ApplicationMasters together still fit beside it on
   * one node, so that production never waits for one of them.
   */
  static final int PRODUCTION_TASK_MB = 2300;

  /** Memory of a Java process in addition to the memory that it holds for its work, MiB. */
  static final int JVM_MB = 140;

  /** Request of a best-effort task, MiB; it uses about 230. */
  static final int BEST_EFFORT_TASK_MB = 448;

  /**
   * Maximum number of best-effort jobs that run at the same time; further ones wait for an
   * ApplicationMaster.
   */
  static final int PARALLEL_BEST_EFFORT_JOBS = 6;

  /** Maximum number of best-effort containers that may wait on a node (paper, section 5.1). */
  static final int QUEUE_LIMIT = 5;

  /** Virtual cores of a node: enough that only memory limits the number of containers. */
  static final int VIRTUAL_CORES = 64;

  /** Read rate of a map task, bytes per second; a part of 4 MiB takes about 30 s. */
  static final long READ_BYTES_PER_SECOND = 140_000;

  static final int INPUT_PART_MB = 4;
  static final int INPUT_PARTS = 8;
  static final int MAPS = 2;

  /** Length of the shortest of the {@link BestEffortKind#TASKS}. */
  static final Duration SHORTEST_TASK = Duration.ofSeconds(25);

  /** Time between two best-effort submissions at X1. */
  static final Duration SUBMISSION_INTERVAL = Duration.ofSeconds(30);

  /** Time between two batches of a production task. */
  static final Duration BATCH_PAUSE = Duration.ofMillis(250);

  /**
   * Number of pages that a production task reads in each batch, which makes a batch a few ms of
   * work.
   */
  static final int TOUCHES_PER_BATCH = 10_000;

  /**
   * Number of batches of a batch task: about 20 s, 6 s of them to fill the memory. With a shorter
   * horizon, a task has as many batches as fit into it.
   */
  private static final int BATCHES_PER_TASK = 80;

  /** Time from the start of a batch task to that of the next one on its node, seconds. */
  private static final int SECONDS_PER_TASK = 23;

  /** Number of tasks of a best-effort job, if these are {@link BestEffortKind#TASKS}. */
  static final int TASKS_OF_A_JOB = 12;

  private static final double HELD_SHARE = 0.7;
  private static final List<Double> STEP_SHARES = List.of(0.3, 0.7, 0.45, 0.85);
  private static final int BATCHES_PER_STEP = 40;

  /**
   * Returns how long best-effort jobs are submitted; jobs submitted later could not end in time.
   */
  Duration submissions() {
    return horizon.multipliedBy(2).dividedBy(3);
  }

  /**
   * Returns when best-effort jobs are submitted, after the start of the horizon: those of X1, each
   * repeated (paper, section 5.3: X2, X3). Copies follow at equal intervals, because starting many
   * JVMs at the same time would measure the processors.
   *
   * @param load number of copies of each submission; 0 for no jobs
   */
  List<Duration> submissionTimes(int load) {
    List<Duration> times = new ArrayList<>();
    for (Duration first = Duration.ZERO;
        first.compareTo(submissions()) < 0;
        first = first.plus(SUBMISSION_INTERVAL)) {
      for (int copy = 0; copy < load; copy++) {
        times.add(first.plus(SUBMISSION_INTERVAL.multipliedBy(copy).dividedBy(load)));
      }
    }
    return times;
  }

  /** Returns the plan of the tasks of {@link BestEffortKind#TASKS}. */
  WorkloadPlan taskPlan() {
    return new WorkloadPlan(
        WorkloadKind.MEMORY,
        NODE_MEMORY_MB,
        NODE_MANAGER_MEMORY_MB,
        PRODUCTION_TASK_MB,
        BEST_EFFORT_TASK_MB,
        WorkloadTimes.usual(Duration.ZERO, horizon).withShortestTask(SHORTEST_TASK),
        false);
  }

  /**
   * Returns the memory that all submitted tasks of {@link BestEffortKind#TASKS} would use while
   * they run, times how long they run, relative to the memory of the nodes times the horizon.
   */
  double taskDemand(int load) {
    return submissionTimes(load).size()
        * TASKS_OF_A_JOB
        * taskPlan().taskMegabyteSeconds()
        / ((double) NODES * NODE_MEMORY_MB * horizon.toSeconds());
  }

  /** Returns the share of the offered memory that production reserves, 0 to 1. */
  static double productionReservedShare() {
    return (double) (NODES * PRODUCTION_TASK_MB + WorkloadPlan.PRODUCTION_MASTER_MB)
        / (NODES * NODE_MANAGER_MEMORY_MB);
  }

  /** Returns the tasks of a production job: several for each node, or one for each. */
  List<MemoryTask> productionTasks(ProductionKind kind) {
    return switch (kind) {
      case BATCH -> batchTasks();
      case STEPS -> tasks(NODES, 0, stepsOf());
      // The service is the first task and is not included.
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
