/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.time.Duration;

/**
 * The memory and work of production and best-effort, the same in every mode.
 *
 * <p>Each node holds one production task. The unreserved memory holds the ApplicationMasters of
 * best-effort and a few best-effort tasks on each node, wherever the ApplicationMasters run, so
 * that best-effort makes progress within unreserved memory too.
 *
 * @param kind the resource that is short
 * @param nodeMemoryMb memory of a node, MiB
 * @param nodeManagerMemoryMb memory that a NodeManager offers: 90 % of the node (paper, section
 *     5.1), MiB
 * @param productionTaskMb memory that a production task reserves, MiB
 * @param bestEffortTaskMb memory that a best-effort task requests, MiB
 * @param times how long production runs alone, best-effort is submitted, and a task lasts
 * @param outgrowing whether an additional best-effort job outgrows its estimate
 */
public record WorkloadPlan(
    WorkloadKind kind,
    int nodeMemoryMb,
    int nodeManagerMemoryMb,
    int productionTaskMb,
    int bestEffortTaskMb,
    WorkloadTimes times,
    boolean outgrowing) {

  /** Memory of production's ApplicationMaster, MiB. */
  public static final int PRODUCTION_MASTER_MB = 208;

  /** Memory of the ApplicationMaster of a best-effort MapReduce job, MiB; it uses about 170. */
  public static final int BEST_EFFORT_MASTER_MB = 192;

  /** Memory of the ApplicationMaster of the paced tasks, MiB; it uses about 120. */
  static final int TASK_MASTER_MB = 160;

  /**
   * Maximum number of best-effort jobs that run at the same time; further ones wait for an
   * ApplicationMaster.
   */
  public static final int PARALLEL_BEST_EFFORT_JOBS = 3;

  /** Maximum number of best-effort containers that may wait on a node (paper, section 5.1). */
  public static final int QUEUE_LIMIT = 5;

  /** Number of map tasks of a best-effort MapReduce job. */
  public static final int MAPS = 2;

  /**
   * Size of a part of the input, MiB. A batch of production and a map task of a best-effort job
   * read one part, a paced task reads several.
   */
  public static final int INPUT_PART_MB = 4;

  /** Cores that a NodeManager offers: enough that only memory limits the number of containers. */
  public static final int VIRTUAL_CORES = 64;

  private static final int NODES = 2;
  private static final double OFFERED_SHARE = 0.9;
  private static final double RESERVED_SHARE = 0.66;
  private static final int STEP_MB = 4;

  /**
   * Share of its reservation that a production task uses; its JVM's part of that follows in MiB.
   */
  private static final double PRODUCTION_USE = 0.5;

  private static final int PRODUCTION_JVM_MB = 140;

  /**
   * Number of paced tasks that fit on each node beside the reservations: few, with little memory
   * left over.
   */
  private static final int RESERVABLE_TASKS = 3;

  /** Share of its request that a paced task uses, without its shell. */
  private static final double TASK_USE = 0.535;

  /** Minimum request of a paced task, MiB; a smaller task would consist mostly of its shell. */
  private static final int SMALLEST_PACED_TASK_MB = 96;

  /**
   * Minimum request of a MapReduce task, MiB: the task uses up to 200, and a smaller request would
   * not reserve more than it uses.
   */
  private static final int SMALLEST_TASK_MB = 320;

  /**
   * Maximum request of a MapReduce task, MiB; a larger one would only show that requests are large.
   */
  private static final int LARGEST_TASK_MB = 448;

  /**
   * Divides the memory of the nodes.
   *
   * @throws IllegalArgumentException if the nodes are too small; the message names the smallest
   *     size
   */
  public static WorkloadPlan of(
      WorkloadKind kind, int nodeMemoryMb, WorkloadTimes times, boolean outgrowing) {
    int smallest = kind == WorkloadKind.MEMORY ? SMALLEST_PACED_TASK_MB : SMALLEST_TASK_MB;
    WorkloadPlan plan = divide(kind, nodeMemoryMb, times, outgrowing);
    if (plan.bestEffortTaskMb < smallest) {
      int enough = nodeMemoryMb;
      while (divide(kind, enough, times, outgrowing).bestEffortTaskMb < smallest) {
        enough += 64;
      }
      throw new IllegalArgumentException(
          "--node-memory-mb " + nodeMemoryMb + " is too small: use at least " + enough);
    }
    return plan;
  }

  private static WorkloadPlan divide(
      WorkloadKind kind, int nodeMemoryMb, WorkloadTimes times, boolean outgrowing) {
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
        kind, nodeMemoryMb, offered, production, task / STEP_MB * STEP_MB, times, outgrowing);
  }

  private static int mapReduceTaskMb(int offered, int production) {
    int reserved = NODES * production + PRODUCTION_MASTER_MB;
    int masters = PARALLEL_BEST_EFFORT_JOBS * BEST_EFFORT_MASTER_MB;
    return (NODES * offered - reserved - masters) / NODES;
  }

  /** Returns the number of nodes, which is the same in every plan. */
  public int nodes() {
    return NODES;
  }

  /** Returns the memory that production reserves, its ApplicationMaster included, MiB. */
  public int productionReservedMb() {
    return NODES * productionTaskMb + PRODUCTION_MASTER_MB;
  }

  /** Returns the share of the cluster's offered memory that production reserves, 0 to 1. */
  public double productionReservedFraction() {
    return (double) productionReservedMb() / clusterMb();
  }

  /** Returns the number of batches that a production task holds in memory. */
  int heldBatches() {
    return (int) (productionTaskMb * PRODUCTION_USE - PRODUCTION_JVM_MB) / INPUT_PART_MB;
  }

  /** Returns the memory that a paced task uses, without its shell, MiB. */
  double taskUseMb() {
    return bestEffortTaskMb * TASK_USE;
  }

  /** Returns the same plan on a machine on which a production batch takes this processor time. */
  WorkloadPlan on(Duration batch) {
    return new WorkloadPlan(
        kind,
        nodeMemoryMb,
        nodeManagerMemoryMb,
        productionTaskMb,
        bestEffortTaskMb,
        times.on(batch),
        outgrowing);
  }

  /** Returns the memory that a paced task uses times how long it runs, on average, MiB s. */
  public double taskMegabyteSeconds() {
    return taskUseMb() * times.shortestTask().plus(times.longestTask()).toMillis() / 2_000.0;
  }

  /**
   * Returns the rate at which a map task of a best-effort job reads its input, bytes per second.
   */
  public long readBytesPerSecond() {
    return kind == WorkloadKind.MEMORY
        ? ((long) INPUT_PART_MB << 20) / times.shortestTask().toSeconds()
        : 700_000;
  }

  /**
   * Returns the request of the task that outgrows it, MiB. The request differs from that of the
   * other tasks, so that its learned peak does not apply to them.
   */
  public int outgrowingTaskMb() {
    return bestEffortTaskMb - STEP_MB;
  }

  /**
   * Returns when the job that outgrows its estimate is submitted, after the start of the window.
   */
  public Duration outgrowingAt() {
    return times.window().dividedBy(5);
  }

  /**
   * Returns the time between two best-effort MapReduce jobs; with paced tasks there is only one
   * such job.
   */
  public Duration jobInterval() {
    return kind == WorkloadKind.MEMORY ? times.window() : Duration.ofSeconds(6);
  }

  /** Returns the memory that all NodeManagers offer, MiB. */
  public int clusterMb() {
    return NODES * nodeManagerMemoryMb;
  }
}
