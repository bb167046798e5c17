/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * LinuxContainerExecutor for a cluster on this machine: containers run as the user that submitted
 * their application, started by Hadoop's setuid program.
 *
 * @param program {@code container-executor}, absolute
 * @param productionUser the user that submits production
 * @param bestEffortUser the user that submits best-effort; may be the same
 */
public record LinuxExecutor(Path program, String productionUser, String bestEffortUser) {
  /**
   * Returns properties of a NodeManager. The class is Charon's in every mode: where Charon is off,
   * it creates the cgroups that represent the nodes and otherwise does the same as YARN's class.
   */
  public Map<String, String> properties() {
    return Map.of(
        YarnConfiguration.NM_CONTAINER_EXECUTOR,
        "io.charon.nodemanager.yarn.CharonLinuxContainerExecutor",
        YarnConfiguration.NM_LINUX_CONTAINER_EXECUTOR_PATH,
        program.toString(),
        // Without Kerberos, YARN would otherwise run all containers as one user.
        YarnConfiguration.NM_NONSECURE_MODE_LIMIT_USERS,
        "false");
  }

  /** Returns the users that containers run as, each once. */
  public List<String> users() {
    return Stream.of(productionUser, bestEffortUser).distinct().toList();
  }

  /** Returns a sentence for the user. */
  public String description() {
    return "Containers run by LinuxContainerExecutor with %s: production as %s, best-effort as %s."
        .formatted(program, productionUser, bestEffortUser);
  }

  /** Returns a cluster as seen by production's user. */
  public ClusterClient production(ClusterClient cluster) {
    return new AccountClient(cluster, new UserAccount(productionUser));
  }

  /** Returns a cluster as seen by best-effort's user. */
  public ClusterClient bestEffort(ClusterClient cluster) {
    return new AccountClient(cluster, new UserAccount(bestEffortUser));
  }
}
