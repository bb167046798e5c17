/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether memory cgroups can represent nodes on this machine.
 *
 * @param cgroupRoot cgroup of all nodes; empty if cgroups cannot be created
 * @param missing why cgroups cannot be created, as one line for the user; empty if they can
 */
public record NodeLimits(Optional<String> cgroupRoot, Optional<String> missing) {
  /**
   * Probes whether a memory cgroup can be created.
   *
   * @param cgroupRoot cgroup of all nodes, for example {@code /charon-demo-4711}; created and
   *     removed
   * @param nodeMemoryBytes memory of a node, bytes
   */
  public static NodeLimits probe(String cgroupRoot, long nodeMemoryBytes) {
    Optional<NodeCgroups> cgroups = NodeCgroups.find(Path.of("/proc"));
    if (cgroups.isEmpty()) {
      return none("No cgroup memory controller is mounted: nodes have no memory limit.");
    }
    try {
      cgroups.get().create(cgroupRoot + "/probe", nodeMemoryBytes);
      cgroups.get().remove(cgroupRoot);
      return new NodeLimits(Optional.of(cgroupRoot), Optional.empty());
    } catch (IOException e) {
      return none(
          "Cannot create memory cgroups ("
              + e
              + "): nodes have no memory limit and tasks no weights. Run as root to have them.");
    }
  }

  private static NodeLimits none(String why) {
    return new NodeLimits(Optional.empty(), Optional.of(why));
  }
}
