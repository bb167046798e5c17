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
 * The specification of a cluster. The properties override those that {@link YarnCluster} sets
 * itself.
 *
 * @param nodes number of NodeManagers, 1 to 100
 * @param node what each node has
 * @param queues capacity of each queue below {@code root}, percent of the cluster; together 100
 * @param recovery whether NodeManagers keep their containers over a restart
 * @param cgroupRoot cgroup below the controllers' mount points that holds one cgroup for each node,
 *     for example {@code /charon-demo-4711}; empty if this machine has no writable cgroups, in
 *     which case nodes have no limit
 * @param properties further properties of all daemons
 * @param nodeManagerClass main class of the NodeManagers
 */
public record ClusterSpec(
    int nodes,
    Node node,
    List<Queue> queues,
    boolean recovery,
    Optional<String> cgroupRoot,
    Map<String, String> properties,
    String nodeManagerClass) {

  private static final String STOCK_NODE_MANAGER =
      "org.apache.hadoop.yarn.server.nodemanager.NodeManager";
  private static final String CHARON_NODE_MANAGER = "io.charon.nodemanager.yarn.CharonNodeManager";

  /**
   * What each node has.
   *
   * @param memoryBytes its memory: the limit of the memory cgroup that represents it, bytes
   * @param offeredMemoryMb memory that its NodeManager offers, MiB
   * @param virtualCores cores that its NodeManager offers; also a hard limit for stock best-effort
   *     containers
   * @param queueLimit maximum number of best-effort containers queued on it
   */
  public record Node(long memoryBytes, int offeredMemoryMb, int virtualCores, int queueLimit) {
    /** Returns a node with another amount of memory that offers the same. */
    public Node withMemory(long bytes) {
      return new Node(bytes, offeredMemoryMb, virtualCores, queueLimit);
    }
  }

  /**
   * A queue of the capacity scheduler.
   *
   * @param name name below {@code root}
   * @param capacityPercent guaranteed share of the cluster, percent
   * @param maximumParallelApplications maximum number of applications that run at the same time
   */
  public record Queue(String name, double capacityPercent, int maximumParallelApplications) {}

  /** Creates the specification of a cluster of stock NodeManagers. */
  public ClusterSpec(
      int nodes,
      Node node,
      List<Queue> queues,
      boolean recovery,
      Optional<String> cgroupRoot,
      Map<String, String> properties) {
    this(nodes, node, queues, recovery, cgroupRoot, properties, STOCK_NODE_MANAGER);
  }

  /** Returns the same specification with Charon's NodeManager main class. */
  public ClusterSpec withCharonNodeManager() {
    return new ClusterSpec(
        nodes, node, queues, recovery, cgroupRoot, properties, CHARON_NODE_MANAGER);
  }

  /** Checks the number of nodes and copies the collections. */
  public ClusterSpec {
    if (nodes < 1 || nodes > 100) {
      throw new IllegalArgumentException("nodes must be 1 to 100, was " + nodes);
    }
    queues = List.copyOf(queues);
    properties = Map.copyOf(properties);
  }

  /**
   * Returns whether the properties make the NodeManagers place best-effort containers themselves.
   */
  boolean distributed() {
    return Boolean.parseBoolean(properties.get("yarn.nodemanager.distributed-scheduling.enabled"));
  }
}
