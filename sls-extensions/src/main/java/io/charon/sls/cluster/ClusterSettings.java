/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.sls.node.ContainerStart;
import io.charon.sls.node.NodeSize;
import io.charon.sls.workload.JobType;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Settings of a simulated cluster.
 *
 * @param nodes number of nodes, 1 to 60,000
 * @param size size of each node
 * @param sharedProcessors whether all nodes share the processors of one machine; {@code
 *     size.cores()} is then the number of cores of all nodes together
 * @param queueLimit best-effort containers that may wait on a node (Charon paper: 10 in simulation)
 * @param master resources of an ApplicationMaster
 * @param parallelBestEffortJobs best-effort jobs that may run at the same time, at least 1; {@link
 *     Integer#MAX_VALUE} if only memory limits them
 * @param heartbeat heartbeat interval of nodes and ApplicationMasters; YARN's default is 1 s
 * @param launch time from the allocation of a container until its process starts: localization and
 *     the NodeManager's own work
 * @param taskStart start of a task's container, before its work begins
 * @param inputOnRack whether best-effort tasks of stage 0 ask for the rack of their input, as
 *     MapReduce's maps do: YARN's opportunistic allocator then takes the rack's first node whose
 *     queue is not full, instead of one of the least loaded nodes
 * @param placement the way the nodes of best-effort containers are chosen
 * @param fullQueues handling of a best-effort container when queues are full
 * @param bestEffortType type of all best-effort jobs, which determines how often their tasks may
 *     fail; if empty, each job has its own type
 * @param killsAreFailures whether a kill for memory counts as a failure of the task, as in the
 *     paper
 */
public record ClusterSettings(
    int nodes,
    NodeSize size,
    boolean sharedProcessors,
    int queueLimit,
    MasterSettings master,
    int parallelBestEffortJobs,
    Duration heartbeat,
    Duration launch,
    ContainerStart taskStart,
    boolean inputOnRack,
    Placement placement,
    FullQueues fullQueues,
    Optional<JobType> bestEffortType,
    boolean killsAreFailures) {
  /** Checks the ranges. */
  public ClusterSettings {
    Objects.requireNonNull(size, "size");
    Objects.requireNonNull(master, "master");
    Objects.requireNonNull(taskStart, "taskStart");
    Objects.requireNonNull(placement, "placement");
    Objects.requireNonNull(fullQueues, "fullQueues");
    if (nodes < 1 || nodes > 60_000 || queueLimit < 1 || parallelBestEffortJobs < 1) {
      throw new IllegalArgumentException(
          "a cluster needs 1 to 60000 nodes, a queue limit and a place for a best-effort job,"
              + " got %d, %d, %d".formatted(nodes, queueLimit, parallelBestEffortJobs));
    }
  }

  /**
   * Creates a cluster whose tasks begin to work as soon as their containers run, and in which no
   * container is sent to a full queue.
   */
  public ClusterSettings(
      int nodes,
      NodeSize size,
      boolean sharedProcessors,
      int queueLimit,
      MasterSettings master,
      int parallelBestEffortJobs,
      Duration heartbeat,
      Duration launch,
      boolean inputOnRack,
      boolean killsAreFailures) {
    this(
        nodes,
        size,
        sharedProcessors,
        queueLimit,
        master,
        parallelBestEffortJobs,
        heartbeat,
        launch,
        ContainerStart.NONE,
        inputOnRack,
        Placement.CENTRAL,
        FullQueues.AVOID,
        Optional.empty(),
        killsAreFailures);
  }

  /**
   * Returns the cluster of the paper's simulation (section 5.5): nodes of 32 cores and 128 GB, on
   * which 10 containers may wait. Start times were measured on an idle cluster
   * (docs/experiments/simulator-against-reality.md): half a second from the end of a task to the
   * process of the next one, then a JVM that takes a core for one to two seconds; a master takes a
   * core for three.
   */
  public static ClusterSettings paper(int nodes) {
    return new ClusterSettings(
        nodes,
        new NodeSize(128L << 30, 32, 128L << 30),
        false,
        10,
        new MasterSettings(1L << 29, 1L << 29, Duration.ofSeconds(3), 1, 0, Duration.ZERO),
        Integer.MAX_VALUE,
        Duration.ofSeconds(1),
        Duration.ofMillis(500),
        new ContainerStart(Duration.ofMillis(1500), 1),
        false,
        Placement.CENTRAL,
        FullQueues.AVOID,
        Optional.empty(),
        true);
  }

  /** Returns these settings with other nodes. */
  public ClusterSettings withNodes(NodeSize nodeSize, int nodeQueueLimit) {
    return new ClusterSettings(
        nodes,
        nodeSize,
        sharedProcessors,
        nodeQueueLimit,
        master,
        parallelBestEffortJobs,
        heartbeat,
        launch,
        taskStart,
        inputOnRack,
        placement,
        fullQueues,
        bestEffortType,
        killsAreFailures);
  }

  /** Returns these settings with another handling of full queues. */
  public ClusterSettings withFullQueues(FullQueues treated) {
    return new ClusterSettings(
        nodes,
        size,
        sharedProcessors,
        queueLimit,
        master,
        parallelBestEffortJobs,
        heartbeat,
        launch,
        taskStart,
        inputOnRack,
        placement,
        treated,
        bestEffortType,
        killsAreFailures);
  }

  /** Returns these settings with another placement. */
  public ClusterSettings withPlacement(Placement chosen) {
    return new ClusterSettings(
        nodes,
        size,
        sharedProcessors,
        queueLimit,
        master,
        parallelBestEffortJobs,
        heartbeat,
        launch,
        taskStart,
        inputOnRack,
        chosen,
        fullQueues,
        bestEffortType,
        killsAreFailures);
  }

  /**
   * Returns these settings with one type for all best-effort jobs; if empty, each job has its own.
   */
  public ClusterSettings withBestEffortType(Optional<JobType> type) {
    return new ClusterSettings(
        nodes,
        size,
        sharedProcessors,
        queueLimit,
        master,
        parallelBestEffortJobs,
        heartbeat,
        launch,
        taskStart,
        inputOnRack,
        placement,
        fullQueues,
        type,
        killsAreFailures);
  }

  /** Returns these settings with kills counted as failures or not. */
  public ClusterSettings withKillsAsFailures(boolean failures) {
    return new ClusterSettings(
        nodes,
        size,
        sharedProcessors,
        queueLimit,
        master,
        parallelBestEffortJobs,
        heartbeat,
        launch,
        taskStart,
        inputOnRack,
        placement,
        fullQueues,
        bestEffortType,
        failures);
  }
}
