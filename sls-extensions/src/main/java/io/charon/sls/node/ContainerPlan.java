/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.scheduler.local.ExecutionType;
import io.charon.scheduler.local.JobKey;
import io.charon.scheduler.local.LaunchRequest;
import java.util.Objects;

/**
 * What a container is going to do; the node knows it, those who decide do not (but for the oracle).
 *
 * @param id unique in a run
 * @param executionType who it is for
 * @param job what recurs about it
 * @param requestedBytes memory asked for, at least 1
 * @param usedCores processor time per second of undisturbed run, cores
 * @param workNanos undisturbed run; {@link #ENDLESS} runs until it is stopped
 * @param usage memory over progress
 */
public record ContainerPlan(
    String id,
    ExecutionType executionType,
    JobKey job,
    long requestedBytes,
    double usedCores,
    long workNanos,
    UsageCurve usage) {
  /** Work of a container that ends when it is told to: an ApplicationMaster. */
  public static final long ENDLESS = Long.MAX_VALUE;

  /** Checks the ranges. */
  public ContainerPlan {
    Objects.requireNonNull(usage, "usage");
    if (!(usedCores >= 0) || workNanos < 1) {
      throw new IllegalArgumentException(
          id + ": needs work and no negative cores, got " + workNanos + ", " + usedCores);
    }
  }

  /** Whether it runs until it is stopped. */
  public boolean isEndless() {
    return workNanos == ENDLESS;
  }

  LaunchRequest request() {
    return new LaunchRequest(id, executionType, job, requestedBytes);
  }
}
