/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a cluster looks like. Properties given here win over those that {@link YarnCluster} sets
 * itself.
 *
 * @param nodes number of NodeManagers, 1 to 100
 * @param nodeMemoryBytes memory of one node: limit of the memory cgroup that plays it, bytes
 * @param nodeManagerMemoryMb memory that a NodeManager offers, MiB
 * @param virtualCores cores that a NodeManager offers; also a hard cap for stock best-effort
 *     containers
 * @param queueLimit best-effort containers that may queue on a node
 * @param queues capacity of each queue below {@code root}, percent of the cluster; together 100
 * @param recovery whether NodeManagers keep their containers over a restart
 * @param cgroupRoot cgroup below the controllers' mount points that holds one cgroup for each node,
 *     for example {@code /charon-demo-4711}; empty if this machine has no writable cgroups: nodes
 *     have no limit then
 * @param properties further properties of all daemons
 * @param nodeManagerClass main class of the NodeManagers
 */
public record ClusterSpec(
    int nodes,
    long nodeMemoryBytes,
    int nodeManagerMemoryMb,
    int virtualCores,
    int queueLimit,
    List<Queue> queues,
    boolean recovery,
    Optional<String> cgroupRoot,
    Map<String, String> properties,
    String nodeManagerClass) {

  private static final String STOCK_NODE_MANAGER =
      "org.apache.hadoop.yarn.server.nodemanager.NodeManager";
  private static final String CHARON_NODE_MANAGER = "io.charon.nodemanager.yarn.CharonNodeManager";

  /**
   * A queue of the capacity scheduler.
   *
   * @param name name below {@code root}
   * @param capacityPercent guaranteed share of the cluster
   * @param maximumParallelApplications applications that may run at the same time
   */
  public record Queue(String name, double capacityPercent, int maximumParallelApplications) {}

  /** A cluster of stock NodeManagers. */
  public ClusterSpec(
      int nodes,
      long nodeMemoryBytes,
      int nodeManagerMemoryMb,
      int virtualCores,
      int queueLimit,
      List<Queue> queues,
      boolean recovery,
      Optional<String> cgroupRoot,
      Map<String, String> properties) {
    this(
        nodes,
        nodeMemoryBytes,
        nodeManagerMemoryMb,
        virtualCores,
        queueLimit,
        queues,
        recovery,
        cgroupRoot,
        properties,
        STOCK_NODE_MANAGER);
  }

  /** The same cluster of NodeManagers whose main class is Charon's. */
  public ClusterSpec withCharonNodeManager() {
    return new ClusterSpec(
        nodes,
        nodeMemoryBytes,
        nodeManagerMemoryMb,
        virtualCores,
        queueLimit,
        queues,
        recovery,
        cgroupRoot,
        properties,
        CHARON_NODE_MANAGER);
  }

  /** Checks the ranges. */
  public ClusterSpec {
    if (nodes < 1 || nodes > 100) {
      throw new IllegalArgumentException("nodes must be 1 to 100, was " + nodes);
    }
    queues = List.copyOf(queues);
    properties = Map.copyOf(properties);
  }

  /** Whether the NodeManagers place best-effort containers themselves, by the properties. */
  boolean distributed() {
    return Boolean.parseBoolean(properties.get("yarn.nodemanager.distributed-scheduling.enabled"));
  }
}
