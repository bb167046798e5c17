/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Removes what is left of a cluster after its daemons were told to exit or its process was killed.
 */
public final class ClusterLeftovers {
  private ClusterLeftovers() {}

  /**
   * Kills every process of a cluster (SIGKILL), and removes its cgroups and its work directory.
   *
   * @param workDirectory {@link YarnCluster#workDirectory}
   * @param cgroupRoot {@link ClusterSpec#cgroupRoot}
   */
  public static void remove(Path workDirectory, Optional<String> cgroupRoot) {
    StartedProcesses.killAll(workDirectory);
    Optional<NodeCgroups> cgroups =
        cgroupRoot.isPresent() ? NodeCgroups.find(Path.of("/proc")) : Optional.empty();
    cgroups.ifPresent(
        hierarchy -> {
          hierarchy.remove(cgroupRoot.get());
          hierarchy.remove(daemons(cgroupRoot.get()));
        });
    new ClusterFiles(workDirectory).delete();
  }

  /** Returns the cgroup of a cluster's daemons, a sibling of that of its nodes. */
  static String daemons(String cgroupRoot) {
    return cgroupRoot + "-daemons";
  }
}
