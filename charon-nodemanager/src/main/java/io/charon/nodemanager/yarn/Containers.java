/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.Owner;
import io.charon.nodemanager.container.ContainerInfo;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.api.ContainerType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;

/** Translates YARN's containers into Charon's. */
final class Containers {
  private static final long MEBIBYTE = 1024 * 1024;

  private Containers() {}

  static boolean isGuaranteed(Container container) {
    return executionType(container) == ExecutionType.GUARANTEED;
  }

  static boolean isMaster(Container container) {
    return container.getContainerTokenIdentifier().getContainerType()
        == ContainerType.APPLICATION_MASTER;
  }

  static ContainerInfo info(Container container) {
    return new ContainerInfo(
        container.getContainerId().toString(),
        new Owner(
            container.getUser(),
            container.getContainerId().getApplicationAttemptId().getApplicationId().toString()),
        executionType(container),
        isMaster(container),
        jobKey(container),
        requestedBytes(container),
        Math.max(0, container.getResource().getVirtualCores()),
        priority(container));
  }

  private static int priority(Container container) {
    Priority priority = container.getContainerTokenIdentifier().getPriority();
    return priority == null ? 0 : priority.getPriority();
  }

  static long requestedBytes(Container container) {
    return Math.max(1, container.getResource().getMemorySize()) * MEBIBYTE;
  }

  private static ExecutionType executionType(Container container) {
    return container.getContainerTokenIdentifier().getExecutionType()
            == org.apache.hadoop.yarn.api.records.ExecutionType.OPPORTUNISTIC
        ? ExecutionType.OPPORTUNISTIC
        : ExecutionType.GUARANTEED;
  }

  /**
   * Returns the job by the recurring properties that a NodeManager knows; names do not reach it.
   */
  private static JobKey jobKey(Container container) {
    ContainerTokenIdentifier token = container.getContainerTokenIdentifier();
    return JobKey.of(
        container.getUser(),
        token.getPriority() == null ? "-" : Integer.toString(token.getPriority().getPriority()),
        container.getResource().getMemorySize());
  }
}
