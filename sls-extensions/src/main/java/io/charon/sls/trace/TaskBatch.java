/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.workload.MemoryCurve;
import java.util.Optional;

/**
 * Tasks of a traced job that are alike: same request, about the same duration, same variant.
 *
 * @param count how many, at least 1
 * @param requestedBytes memory that each asks for, at least 1
 * @param requestedCores processors that each asks for, not negative
 * @param durationMillis mean of their durations, at least 1
 * @param variant which of the {@link #VARIANTS} slightly different memory uses of the job they have
 * @param measured the memory curve, if the trace has one
 */
public record TaskBatch(
    int count,
    long requestedBytes,
    double requestedCores,
    long durationMillis,
    int variant,
    Optional<MemoryCurve> measured) {
  /** Tasks of one job use about the same memory; this many variants bound the curves of a job. */
  public static final int VARIANTS = 4;

  /** Requested memory over the run of all tasks, byte-milliseconds. */
  double load() {
    return (double) count * requestedBytes * durationMillis;
  }

  /** The same tasks, another number of them. */
  TaskBatch withCount(int tasks) {
    return new TaskBatch(tasks, requestedBytes, requestedCores, durationMillis, variant, measured);
  }
}
