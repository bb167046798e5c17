/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.sls.node.ContainerStart;
import io.charon.sls.node.NodeSize;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings of a simulated cluster.
 *
 * @param nodes the nodes
 * @param master resources of an ApplicationMaster
 * @param parallelBestEffortJobs best-effort jobs that may run at the same time, at least 1; {@link
 *     Integer#MAX_VALUE} if only memory limits them
 * @param timing times before a container's work begins
 * @param allocation choice of nodes for best-effort containers
 * @param retries rules by which tasks use up their retries
 */
public record ClusterSettings(
    ClusterNodes nodes,
    MasterProfile master,
    int parallelBestEffortJobs,
    ClusterTiming timing,
    OpportunisticAllocation allocation,
    RetryRules retries) {
  /** Checks the ranges. */
  public ClusterSettings {
    Objects.requireNonNull(nodes, "nodes");
    Objects.requireNonNull(master, "master");
    Objects.requireNonNull(timing, "timing");
    Objects.requireNonNull(allocation, "allocation");
    Objects.requireNonNull(retries, "retries");
    if (parallelBestEffortJobs < 1) {
      throw new IllegalArgumentException(
          "a cluster needs a place for a best-effort job, got " + parallelBestEffortJobs);
    }
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
        new ClusterNodes(nodes, new NodeSize(128L << 30, 32, 128L << 30), 10),
        new MasterProfile(1L << 29, 1L << 29, Duration.ofSeconds(3), 1, 0, Duration.ZERO),
        Integer.MAX_VALUE,
        new ClusterTiming(
            Duration.ofSeconds(1),
            Duration.ofMillis(500),
            new ContainerStart(Duration.ofMillis(1500), 1)),
        OpportunisticAllocation.CENTRAL,
        RetryRules.OF_THE_PAPER);
  }

  /** Returns these settings with other nodes. */
  public ClusterSettings with(ClusterNodes others) {
    return new ClusterSettings(others, master, parallelBestEffortJobs, timing, allocation, retries);
  }

  /** Returns these settings with another choice of nodes for best-effort containers. */
  public ClusterSettings with(OpportunisticAllocation other) {
    return new ClusterSettings(nodes, master, parallelBestEffortJobs, timing, other, retries);
  }

  /** Returns these settings with other rules of retries. */
  public ClusterSettings with(RetryRules others) {
    return new ClusterSettings(nodes, master, parallelBestEffortJobs, timing, allocation, others);
  }
}
