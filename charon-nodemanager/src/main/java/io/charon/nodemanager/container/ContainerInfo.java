/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.Owner;
import io.charon.nodemanager.cgroup.ContainerClass;

/**
 * What YARN says of a container.
 *
 * @param containerId YARN's container id
 * @param owner whom it belongs to
 * @param executionType who it is for
 * @param applicationMaster whether it manages a job
 * @param job what recurs about it
 * @param requestedBytes memory that its application asked for
 * @param requestedCores processors that it asked for: vcores, at least 0
 * @param priority YARN's: the larger the number, the lower it is
 */
public record ContainerInfo(
    String containerId,
    Owner owner,
    ExecutionType executionType,
    boolean applicationMaster,
    JobKey job,
    long requestedBytes,
    int requestedCores,
    int priority) {

  /** One of the priority that YARN gives who asks for none. */
  public ContainerInfo(
      String containerId,
      Owner owner,
      ExecutionType executionType,
      boolean applicationMaster,
      JobKey job,
      long requestedBytes,
      int requestedCores) {
    this(
        containerId,
        owner,
        executionType,
        applicationMaster,
        job,
        requestedBytes,
        requestedCores,
        0);
  }

  /** YARN's application id. */
  public String applicationId() {
    return owner.application();
  }

  /** Which side of the node it belongs to. */
  public ContainerClass containerClass() {
    return executionType == ExecutionType.OPPORTUNISTIC
        ? ContainerClass.BEST_EFFORT
        : ContainerClass.PRODUCTION;
  }

  /** What the local scheduler is asked. */
  public LaunchRequest launchRequest() {
    return new LaunchRequest(containerId, executionType, job, owner, requestedBytes);
  }
}
