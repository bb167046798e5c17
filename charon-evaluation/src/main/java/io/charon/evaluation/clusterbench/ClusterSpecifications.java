/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.cluster.CharonConfiguration;
import io.charon.evaluation.cluster.ClusterSpec;
import io.charon.evaluation.cluster.KernelProtection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds the specification of a run's cluster. Clusters of all modes are the same, except for the
 * policy for best-effort.
 */
final class ClusterSpecifications {
  static final String BEST_EFFORT_QUEUE = "best-effort";

  private static final String NODE_MANAGER = "yarn.nodemanager.";

  private ClusterSpecifications() {}

  /**
   * Returns the specification of a cluster.
   *
   * @param protection the kernel UA killer of the nodes; empty without it
   * @param cgroupRoot cgroup of all nodes
   */
  static ClusterSpec of(
      ClusterMode mode,
      BestEffortPlacement placement,
      Optional<KernelProtection> protection,
      String cgroupRoot) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.putAll(CharonConfiguration.nodeManager(mode.nodeManagerMode()));
    properties.putAll(CharonConfiguration.cgroupsInEveryMode());
    protection.ifPresent(kernel -> properties.putAll(kernel.nodeManagerProperties()));
    properties.putAll(CharonConfiguration.resourceManager(List.of(BEST_EFFORT_QUEUE)));
    if (placement == BestEffortPlacement.DISTRIBUTED) {
      properties.put(NODE_MANAGER + "amrmproxy.enabled", "true");
      properties.put(NODE_MANAGER + "distributed-scheduling.enabled", "true");
    }
    return new ClusterSpec(
        ClusterPlan.NODES,
        new ClusterSpec.Node(
            (long) ClusterPlan.NODE_MEMORY_MB << 20,
            ClusterPlan.NODE_MANAGER_MEMORY_MB,
            ClusterPlan.VIRTUAL_CORES,
            ClusterPlan.QUEUE_LIMIT),
        List.of(
            new ClusterSpec.Queue(ProductionJob.QUEUE, 70, 10),
            new ClusterSpec.Queue(BEST_EFFORT_QUEUE, 30, ClusterPlan.PARALLEL_BEST_EFFORT_JOBS)),
        false,
        Optional.of(cgroupRoot),
        properties);
  }
}
