/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * LinuxContainerExecutor for a cluster on this machine: containers run as the user who submitted
 * their application, started by Hadoop's setuid program.
 *
 * @param program {@code container-executor}, absolute
 * @param productionUser who submits production
 * @param bestEffortUser who submits best-effort; may be the same
 */
public record LinuxExecutor(Path program, String productionUser, String bestEffortUser) {
  /**
   * Properties of a NodeManager. In every mode the class is Charon's: where Charon is off it makes
   * the cgroups that play the nodes and otherwise does what YARN's class does.
   */
  public Map<String, String> properties() {
    return Map.of(
        YarnConfiguration.NM_CONTAINER_EXECUTOR,
        "io.charon.nodemanager.yarn.CharonLinuxContainerExecutor",
        YarnConfiguration.NM_LINUX_CONTAINER_EXECUTOR_PATH,
        program.toString(),
        // Without Kerberos, YARN would run everything as one user.
        YarnConfiguration.NM_NONSECURE_MODE_LIMIT_USERS,
        "false");
  }

  /** A cluster as production's user sees it. */
  public ClusterClient production(ClusterClient cluster) {
    return new AccountClient(cluster, new UserAccount(productionUser));
  }

  /** A cluster as best-effort's user sees it. */
  public ClusterClient bestEffort(ClusterClient cluster) {
    return new AccountClient(cluster, new UserAccount(bestEffortUser));
  }
}
