/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.Owner;
import java.util.Objects;

/**
 * The future behavior of a container. The node knows it; launch policies and killers do not, except
 * the oracle.
 *
 * @param id unique in a run
 * @param executionType production or best-effort
 * @param job key of the recurring properties of the container
 * @param owner user and application of the container
 * @param requestedBytes requested memory, at least 1
 * @param usedCores processor time per second of undisturbed run, cores
 * @param workNanos duration of the undisturbed work; {@link #ENDLESS} runs until it is stopped
 * @param usage memory over progress
 * @param startsAt progress at the start, 0 to 1; above 0 only for tasks that the oracle moved
 * @param start activity before the work begins
 */
public record ContainerPlan(
    String id,
    ExecutionType executionType,
    JobKey job,
    Owner owner,
    long requestedBytes,
    double usedCores,
    long workNanos,
    UsageCurve usage,
    double startsAt,
    ContainerStart start) {
  /** Work of a container that runs until it is stopped, such as an ApplicationMaster. */
  public static final long ENDLESS = Long.MAX_VALUE;

  /** Checks the ranges. */
  public ContainerPlan {
    Objects.requireNonNull(usage, "usage");
    Objects.requireNonNull(start, "start");
    if (!(usedCores >= 0) || workNanos < 1 || !(startsAt >= 0 && startsAt <= 1)) {
      throw new IllegalArgumentException(
          "%s: needs work, no negative cores and a start within 0 and 1, got %d, %s, %s"
              .formatted(id, workNanos, usedCores, startsAt));
    }
  }

  /** Creates a plan without a start phase, from progress 0. */
  public ContainerPlan(
      String id,
      ExecutionType executionType,
      JobKey job,
      Owner owner,
      long requestedBytes,
      double usedCores,
      long workNanos,
      UsageCurve usage) {
    this(
        id,
        executionType,
        job,
        owner,
        requestedBytes,
        usedCores,
        workNanos,
        usage,
        0,
        ContainerStart.NONE);
  }

  /** Returns whether the container runs until it is stopped. */
  public boolean isEndless() {
    return workNanos == ENDLESS;
  }

  /** Returns the undisturbed run time, including the start, in nanoseconds. */
  double runNanos() {
    return start.nanos() + (1 - startsAt) * workNanos;
  }

  /**
   * Returns the highest memory use between two times after the start, at full speed, in bytes; 0 if
   * the work would have ended by then.
   */
  public double peakBytesWithin(double fromNanos, double toNanos) {
    return isEndless()
        ? usage.first().peakWithin(startsAt, 1, 0, 0)
        : usage
            .first()
            .peakWithin(
                startsAt,
                (double) workNanos,
                Math.max(0, fromNanos - start.nanos()),
                Math.max(0, toNanos - start.nanos()));
  }

  /**
   * Returns a launch request with the memory that the application requested.
   *
   * @param byName whether the name of the job is known; otherwise only its wider key is
   */
  LaunchRequest request(boolean byName) {
    JobKey known = byName || job.wider().isEmpty() ? job : new JobKey(job.wider());
    return new LaunchRequest(id, executionType, known, owner, requestedBytes);
  }

  /**
   * Returns a launch request with the peak that the container will need: with page cache, except
   * pages that are read once.
   */
  LaunchRequest requestOfPeak() {
    return new LaunchRequest(
        id, executionType, job, owner, Math.max(1, Math.round(usage.neededPeak())));
  }
}
