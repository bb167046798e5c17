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
 * What a container is going to do; the node knows it, those who decide do not (but for the oracle).
 *
 * @param id unique in a run
 * @param executionType who it is for
 * @param job what recurs about it
 * @param owner whom it belongs to
 * @param requestedBytes memory asked for, at least 1
 * @param usedCores processor time per second of undisturbed run, cores
 * @param workNanos undisturbed run; {@link #ENDLESS} runs until it is stopped
 * @param usage memory over progress
 * @param startsAt progress that it starts with, 0 to 1; 0 for all but what a bound goes on with
 * @param start what it does before its work begins
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
  /** Work of a container that ends when it is told to: an ApplicationMaster. */
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

  /** A container whose work begins at once, and at its beginning. */
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

  /** Whether it runs until it is stopped. */
  public boolean isEndless() {
    return workNanos == ENDLESS;
  }

  /** How long it takes undisturbed, nanoseconds. */
  double runNanos() {
    return start.nanos() + (1 - startsAt) * workNanos;
  }

  /**
   * The most it would use within a stretch of its first time, at full speed, bytes; 0 once it would
   * be over.
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
   * Asks for what its application wants.
   *
   * @param byName whether the name of its job is known, or its wider key only
   */
  LaunchRequest request(boolean byName) {
    JobKey known = byName || job.wider().isEmpty() ? job : new JobKey(job.wider());
    return new LaunchRequest(id, executionType, known, owner, requestedBytes);
  }

  /** Asks for what it is going to need: with page cache, but for pages that it uses once. */
  LaunchRequest requestOfPeak() {
    return new LaunchRequest(
        id, executionType, job, owner, Math.max(1, Math.round(usage.neededPeak())));
  }
}
