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
 * ApplicationMasters of the best-effort jobs, and always one best-effort task more on each node,
 * wherever the masters are: so that best-effort jobs make progress within reservations, too, and
 * never wait for each other for ever.
 *
 * @param nodes number of nodes
 * @param nodeMemoryMb memory of a node, MiB
 * @param nodeManagerMemoryMb memory that its NodeManager offers: 90 % of the node (paper, section
 *     5.1), MiB
 * @param productionTaskMb memory that a production task reserves, MiB
 * @param bestEffortTaskMb memory that a best-effort task requests, MiB
 * @param window how long best-effort jobs are submitted and counted
 * @param outgrowing whether one more best-effort job outgrows its estimate
 */
public record WorkloadPlan(
    int nodes,
    int nodeMemoryMb,
    int nodeManagerMemoryMb,
    int productionTaskMb,
    int bestEffortTaskMb,
    Duration window,
    boolean outgrowing) {

  /** Memory of production's ApplicationMaster, MiB. */
  public static final int PRODUCTION_MASTER_MB = 208;

  /** Memory of the ApplicationMaster of a best-effort job, MiB; it uses about 170. */
  public static final int BEST_EFFORT_MASTER_MB = 192;

  /** Best-effort jobs that run at the same time; further ones wait for an ApplicationMaster. */
  public static final int PARALLEL_BEST_EFFORT_JOBS = 3;

  /** Best-effort containers that may wait on a node (paper, section 5.1). */
  public static final int QUEUE_LIMIT = 5;

  /** How long production waits for its next batch once the last one is done. */
  public static final Duration BATCH_ARRIVAL = Duration.ofMillis(220);

  /** Map tasks of a best-effort job. */
  public static final int MAPS = 2;

  /**
   * Size of a part of the input, MiB; a batch of production and a map task of a best-effort job
   * read one.
   */
  public static final int INPUT_PART_MB = 4;

  /** Cores that a NodeManager offers: enough that only memory limits the number of containers. */
  public static final int VIRTUAL_CORES = 64;

  private static final int NODES = 2;
  private static final double OFFERED_SHARE = 0.9;
  private static final double RESERVED_SHARE = 0.66;
  private static final int STEP_MB = 4;

  /** A best-effort task uses up to 200 MiB: a smaller request would not be a reservation. */
  private static final int SMALLEST_TASK_MB = 320;

  /** A larger request would only say that requests are large. */
  private static final int LARGEST_TASK_MB = 448;

  /**
   * Divides the memory of nodes.
   *
   * @throws IllegalArgumentException if the nodes are too small; the message names the smallest
   *     size
   */
  public static WorkloadPlan of(int nodeMemoryMb, Duration window, boolean outgrowing) {
    WorkloadPlan plan = divide(nodeMemoryMb, window, outgrowing);
    if (plan.bestEffortTaskMb < SMALLEST_TASK_MB) {
      int enough = nodeMemoryMb;
      while (divide(enough, window, outgrowing).bestEffortTaskMb < SMALLEST_TASK_MB) {
        enough += 64;
      }
      throw new IllegalArgumentException(
          "--node-memory-mb " + nodeMemoryMb + " is too small: use at least " + enough);
    }
    return plan;
  }

  private static WorkloadPlan divide(int nodeMemoryMb, Duration window, boolean outgrowing) {
    int offered = (int) (nodeMemoryMb * OFFERED_SHARE);
    int production =
        roundUp((int) ((RESERVED_SHARE * offered * NODES - PRODUCTION_MASTER_MB) / NODES));
    int reserved = NODES * production + PRODUCTION_MASTER_MB;
    int masters = PARALLEL_BEST_EFFORT_JOBS * BEST_EFFORT_MASTER_MB;
    int task = Math.min(LARGEST_TASK_MB, (NODES * offered - reserved - masters) / NODES);
    return new WorkloadPlan(
        NODES, nodeMemoryMb, offered, production, task / STEP_MB * STEP_MB, window, outgrowing);
  }

  private static int roundUp(int megabytes) {
    return (megabytes + STEP_MB - 1) / STEP_MB * STEP_MB;
  }

  /** Memory that production reserves, its ApplicationMaster included, MiB. */
  public int productionReservedMb() {
    return nodes * productionTaskMb + PRODUCTION_MASTER_MB;
  }

  /** Share of the cluster's offered memory that production reserves, 0 to 1. */
  public double productionReservedFraction() {
    return (double) productionReservedMb() / clusterMb();
  }

  /** Batches of each production task: the fixed work that keeps it busy for about the window. */
  public int productionBatches() {
    return (int) (window.toMillis() / 340);
  }

  /** Memory at which a phase of a production task is full, bytes. */
  public long productionPhaseBytes() {
    return (long) (productionTaskMb - 300) << 20;
  }

  /** Speed at which a best-effort task reads its input, bytes per second. */
  public long readBytesPerSecond() {
    return 700_000;
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

  /** Time between two best-effort jobs. */
  public Duration jobInterval() {
    return Duration.ofSeconds(6);
  }

  /** Memory that all NodeManagers offer, MiB. */
  public int clusterMb() {
    return nodes * nodeManagerMemoryMb;
  }
}
