/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import io.charon.evaluation.machine.ProcessMemory;
import io.charon.status.NodeAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One node of a cluster.
 *
 * @param hostName name of the node among the daemons of the cluster
 * @param address loopback address of the node, for clients that cannot resolve the name
 * @param webPort port of the NodeManager's web server, for example for {@code /jmx}
 * @param directory local directories, logs and recovery state of the node
 * @param cgroup the memory cgroup that represents the node; empty without cgroups
 */
public record ClusterNode(
    String hostName, String address, int webPort, Path directory, Optional<NodeCgroup> cgroup) {

  /** Returns the address of the NodeManager's web server. */
  public NodeAddress web() {
    return new NodeAddress(address, webPort);
  }

  /**
   * Returns the memory that the node's containers use now, bytes: the cgroup's working set, or
   * without cgroups the anonymous and shared memory of the containers' processes, without the
   * NodeManager.
   *
   * @throws java.io.IOException if the cgroup or {@code /proc} cannot be read
   */
  public long workingSetBytes() throws java.io.IOException {
    return cgroup.isPresent()
        ? cgroup.get().workingSetBytes()
        : ProcessMemory.ofContainers(Path.of("/proc"), directory.resolve("containers"));
  }
}
