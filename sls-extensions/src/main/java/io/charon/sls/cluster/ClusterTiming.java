/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.sls.node.ContainerStart;
import java.time.Duration;
import java.util.Objects;

/**
 * The times that a container takes before its work begins.
 *
 * @param heartbeat heartbeat interval of nodes and ApplicationMasters; YARN's default is 1 s
 * @param launch time from the allocation of a container until its process starts: localization and
 *     the NodeManager's own work
 * @param taskStart start of a task's container, before its work begins
 */
public record ClusterTiming(Duration heartbeat, Duration launch, ContainerStart taskStart) {
  /** Checks that nothing is missing. */
  public ClusterTiming {
    Objects.requireNonNull(heartbeat, "heartbeat");
    Objects.requireNonNull(launch, "launch");
    Objects.requireNonNull(taskStart, "taskStart");
  }

  /** Creates the times of tasks that work as soon as their containers run. */
  public ClusterTiming(Duration heartbeat, Duration launch) {
    this(heartbeat, launch, ContainerStart.NONE);
  }
}
