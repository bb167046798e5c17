/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.time.Duration;

/**
 * How much memory and work each side gets, the same in every mode.
 *
 * <p>Each node holds one production task. What production does not reserve holds the
 * ApplicationMasters of best-effort, and some best-effort tasks more on each node, wherever the
 * masters are: so that best-effort makes progress within reservations, too.
 *
 * @param kind what best-effort is short of
 * @param nodes number of nodes
 * @param nodeMemoryMb memory of a node, MiB
 * @param nodeManagerMemoryMb memory that its NodeManager offers: 90 % of the node (paper, section
 *     5.1), MiB
 * @param productionTaskMb memory that a production task reserves, MiB
 * @param bestEffortTaskMb memory that a best-effort task requests, MiB
 * @param baseline how long production runs alone before best-effort comes
 * @param window how long best-effort jobs are submitted and counted
 * @param outgrowing whether one more best-effort job outgrows its estimate
 */
public record WorkloadPlan(
    WorkloadKind kind,
    int nodes,
    int nodeMemoryMb,
    int nodeManagerMemoryMb,
    int productionTaskMb,
    int bestEffortTaskMb,
    Duration baseline,
    Duration window,
    boolean outgrowing) {

  /** Memory of production's ApplicationMaster, MiB. */
  public static final int PRODUCTION_MASTER_MB = 208;

  /** Memory of the ApplicationMaster of a best-effort MapReduce job, MiB; it uses about 170. */
  public static final int BEST_EFFORT_MASTER_MB = 192;

  /** Memory of the ApplicationMaster of the paced tasks, MiB; it uses about 120. */
  static final int TASK_MASTER_MB = 160;

  /** Best-effort jobs that run at the same time; further ones wait for an ApplicationMaster. */
  public static final int PARALLEL_BEST_EFFORT_JOBS = 3;

  /** Best-effort containers that may wait on a node (paper, section 5.1). */
  public static final int QUEUE_LIMIT = 5;

  /** Map tasks of a best-effort MapReduce job. */
  public static final int MAPS = 2;

  /**
   * Size of a part of the input, MiB; a batch of production and a map task of a best-effort job
   * read one, a paced task reads several.
   */
  public static final int INPUT_PART_MB = 4;

  /** Cores that a NodeManager offers: enough that only memory limits the number of containers. */
  public static final int VIRTUAL_CORES = 64;

  private static final int NODES = 2;
  private static final double OFFERED_SHARE = 0.9;
  private static final double RESERVED_SHARE = 0.66;
  private static final int STEP_MB = 4;

  /** Share of its reservation that a production task uses, and what its JVM uses of it, MiB. */
  private static final double PRODUCTION_USE = 0.5;

  private static final int PRODUCTION_JVM_MB = 140;

  /** Paced tasks for which each node has room beside reservations: few, and little left over. */
  private static final int RESERVABLE_TASKS = 3;

  /** Share of its request that a paced task uses; its shell comes on top of it. */
  private static final double TASK_USE = 0.535;

  /** A smaller task would be mostly its shell. */
  private static final int SMALLEST_PACED_TASK_MB = 96;

  /** A task of MapReduce uses up to 200 MiB: a smaller request would not be a reservation. */
  private static final int SMALLEST_TASK_MB = 320;

  /** A larger request would only say that requests are large. */
  private static final int LARGEST_TASK_MB = 448;

  /** Paced tasks last up to half of a window, so that it sees more than their beginnings. */
  private static final Duration SHORTEST_TASK = Duration.ofSeconds(25);

  private static final Duration LONGEST_TASK = Duration.ofSeconds(40);

  /**
   * Divides the memory of nodes.
   *
   * @throws IllegalArgumentException if the nodes are too small; the message names the smallest
   *     size
   */
  public static WorkloadPlan of(
      WorkloadKind kind, int nodeMemoryMb, Duration baseline, Duration window, boolean outgrowing) {
    int smallest = kind == WorkloadKind.MEMORY ? SMALLEST_PACED_TASK_MB : SMALLEST_TASK_MB;
    WorkloadPlan plan = divide(kind, nodeMemoryMb, baseline, window, outgrowing);
    if (plan.bestEffortTaskMb < smallest) {
      int enough = nodeMemoryMb;
      while (divide(kind, enough, baseline, window, outgrowing).bestEffortTaskMb < smallest) {
        enough += 64;
      }
      throw new IllegalArgumentException(
          "--node-memory-mb " + nodeMemoryMb + " is too small: use at least " + enough);
    }
    return plan;
  }

  private static WorkloadPlan divide(
      WorkloadKind kind, int nodeMemoryMb, Duration baseline, Duration window, boolean outgrowing) {
    int offered = (int) (nodeMemoryMb * OFFERED_SHARE);
    int production =
        (int) ((RESERVED_SHARE * offered * NODES - PRODUCTION_MASTER_MB) / NODES)
                / STEP_MB
                * STEP_MB
            + STEP_MB;
    int task =
        kind == WorkloadKind.MEMORY
            ? (offered - production - PRODUCTION_MASTER_MB) / RESERVABLE_TASKS
            : Math.min(LARGEST_TASK_MB, mapReduceTaskMb(offered, production));
    return new WorkloadPlan(
        kind,
        NODES,
        nodeMemoryMb,
        offered,
        production,
        task / STEP_MB * STEP_MB,
        baseline,
        window,
        outgrowing);
  }

  private static int mapReduceTaskMb(int offered, int production) {
    int reserved = NODES * production + PRODUCTION_MASTER_MB;
    int masters = PARALLEL_BEST_EFFORT_JOBS * BEST_EFFORT_MASTER_MB;
    return (NODES * offered - reserved - masters) / NODES;
  }

  /** Memory that production reserves, its ApplicationMaster included, MiB. */
  public int productionReservedMb() {
    return nodes * productionTaskMb + PRODUCTION_MASTER_MB;
  }

  /** Share of the cluster's offered memory that production reserves, 0 to 1. */
  public double productionReservedFraction() {
    return (double) productionReservedMb() / clusterMb();
  }

  /** Batches that a production task holds in memory. */
  int heldBatches() {
    return (int) (productionTaskMb * PRODUCTION_USE - PRODUCTION_JVM_MB) / INPUT_PART_MB;
  }

  /** Memory that a paced task takes, without its shell, MiB. */
  double taskUseMb() {
    return bestEffortTaskMb * TASK_USE;
  }

  Duration shortestTask() {
    return shorter(SHORTEST_TASK, window.multipliedBy(5).dividedBy(16));
  }

  Duration longestTask() {
    return shorter(LONGEST_TASK, window.dividedBy(2));
  }

  private static Duration shorter(Duration left, Duration right) {
    return left.compareTo(right) < 0 ? left : right;
  }

  /** Speed at which a map task of a best-effort job reads its input, bytes per second. */
  public long readBytesPerSecond() {
    return kind == WorkloadKind.MEMORY
        ? ((long) INPUT_PART_MB << 20) / shortestTask().toSeconds()
        : 700_000;
  }

  /**
   * Request of the task that outgrows it, MiB: a size of its own, so that what is learned of it is
   * not believed of the others.
   */
  public int outgrowingTaskMb() {
    return bestEffortTaskMb - STEP_MB;
  }

  /** When the job that outgrows its estimate is submitted, after the start of the window. */
  public Duration outgrowingAt() {
    return window.dividedBy(5);
  }

  /** Time between two best-effort MapReduce jobs; with paced tasks there is one such job only. */
  public Duration jobInterval() {
    return kind == WorkloadKind.MEMORY ? window : Duration.ofSeconds(6);
  }

  /** Memory that all NodeManagers offer, MiB. */
  public int clusterMb() {
    return nodes * nodeManagerMemoryMb;
  }
}
