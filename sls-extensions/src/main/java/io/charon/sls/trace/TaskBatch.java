/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.workload.MemoryCurve;
import java.util.Optional;

/**
 * Similar tasks of a traced job: same request, about the same duration, same variant.
 *
 * @param count number of tasks, at least 1
 * @param requestedBytes memory that each requests, at least 1
 * @param requestedCores processors that each requests, not negative
 * @param durationMillis mean of their durations, at least 1
 * @param variant number of their variant, one of the {@link #VARIANTS} slightly different memory
 *     uses of the job, from 0
 * @param measured the memory curve, if the trace has one
 */
public record TaskBatch(
    int count,
    long requestedBytes,
    double requestedCores,
    long durationMillis,
    int variant,
    Optional<MemoryCurve> measured) {
  /** Number of variants, which bounds the curves of a job; its tasks use about the same memory. */
  public static final int VARIANTS = 4;

  /** Returns the requested memory over the run of all tasks, in byte-milliseconds. */
  double load() {
    return (double) count * requestedBytes * durationMillis;
  }

  /** Returns the same batch with another number of tasks. */
  TaskBatch withCount(int tasks) {
    return new TaskBatch(tasks, requestedBytes, requestedCores, durationMillis, variant, measured);
  }
}
