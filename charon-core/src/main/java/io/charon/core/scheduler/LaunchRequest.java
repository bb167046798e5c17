/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Objects;

/**
 * A container that asks to start on this node.
 *
 * @param containerId YARN's container id
 * @param executionType production or best-effort
 * @param job the recurring job to which it belongs
 * @param owner its user and application
 * @param requestedBytes memory that its application asked for, at least 1
 */
public record LaunchRequest(
    String containerId, ExecutionType executionType, JobKey job, Owner owner, long requestedBytes) {
  /** Checks the ranges. */
  public LaunchRequest {
    Objects.requireNonNull(containerId, "containerId");
    Objects.requireNonNull(executionType, "executionType");
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(owner, "owner");
    if (requestedBytes < 1) {
      throw new IllegalArgumentException(
          containerId + ": requestedBytes must be at least 1, got " + requestedBytes);
    }
  }
}
