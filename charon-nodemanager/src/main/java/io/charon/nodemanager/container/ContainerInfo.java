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
 * A container as YARN describes it.
 *
 * @param containerId YARN's container id
 * @param owner its user and application
 * @param executionType GUARANTEED (production) or OPPORTUNISTIC (best-effort)
 * @param applicationMaster whether it is an ApplicationMaster
 * @param job identifies its job across runs
 * @param requestedBytes memory that its application requested, bytes
 * @param requestedCores processors that its application requested: vcores, at least 0
 * @param priority YARN's priority: the larger the number, the lower the priority
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

  /** Creates a container with priority 0, YARN's default. */
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

  /** Returns YARN's application id. */
  public String applicationId() {
    return owner.application();
  }

  /** Returns its class on the node. */
  public ContainerClass containerClass() {
    return executionType == ExecutionType.OPPORTUNISTIC
        ? ContainerClass.BEST_EFFORT
        : ContainerClass.PRODUCTION;
  }

  /** Returns its request to the local scheduler. */
  public LaunchRequest launchRequest() {
    return new LaunchRequest(containerId, executionType, job, owner, requestedBytes);
  }
}
