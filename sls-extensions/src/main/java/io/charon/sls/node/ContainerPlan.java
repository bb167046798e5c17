/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchRequest;
import java.util.Objects;

/**
 * A container and its future behavior. The node knows the behavior; launch policies and killers do
 * not, except the oracle.
 *
 * @param request what its application asked for
 * @param work its future behavior
 */
public record ContainerPlan(LaunchRequest request, ContainerWork work) {
  /** Checks that nothing is missing. */
  public ContainerPlan {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(work, "work");
  }

  /** Returns the id, unique in a run. */
  public String id() {
    return request.containerId();
  }

  /** Returns whether the container is production or best-effort. */
  public ExecutionType executionType() {
    return request.executionType();
  }

  /** Returns the requested memory, at least 1 byte. */
  public long requestedBytes() {
    return request.requestedBytes();
  }

  /**
   * Returns a launch request with the memory that the application requested.
   *
   * @param byName whether the name of the job is known; otherwise only its wider key is
   */
  LaunchRequest request(boolean byName) {
    JobKey job = request.job();
    return byName || job.wider().isEmpty()
        ? request
        : request(new JobKey(job.wider()), requestedBytes());
  }

  /**
   * Returns a launch request with the peak that the container will need: with page cache, except
   * pages that are read once.
   */
  LaunchRequest requestOfPeak() {
    return request(request.job(), Math.max(1, Math.round(work.usage().neededPeak())));
  }

  private LaunchRequest request(JobKey job, long bytes) {
    return new LaunchRequest(id(), executionType(), job, request.owner(), bytes);
  }
}
