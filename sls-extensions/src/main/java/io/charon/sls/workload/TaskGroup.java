/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.workload;

import java.util.Objects;

/**
 * Identical tasks of a job.
 *
 * @param count number of tasks, at least 1
 * @param requestedBytes memory that each requests, at least 1
 * @param virtualCores cores that each requests, at least 1
 * @param usedCores processor time that each uses per second of undisturbed run, cores
 * @param durationMillis undisturbed duration of each, at least 1
 * @param memory memory that each really uses
 * @param stage stage, from 0; the tasks run once all tasks of lower stages are done
 */
public record TaskGroup(
    int count,
    long requestedBytes,
    int virtualCores,
    double usedCores,
    long durationMillis,
    MemoryCurve memory,
    int stage) {
  /** Checks the ranges. */
  public TaskGroup {
    if (count < 1
        || requestedBytes < 1
        || virtualCores < 1
        || !(usedCores >= 0)
        || durationMillis < 1
        || stage < 0) {
      throw new IllegalArgumentException(
          "tasks need a count, memory, cores and a duration of at least 1, and no negative"
              + " stage, got %d, %d, %d, %s, %d, %d"
                  .formatted(
                      count, requestedBytes, virtualCores, usedCores, durationMillis, stage));
    }
    Objects.requireNonNull(memory, "memory");
  }

  /** Creates tasks that are ready at once. */
  public TaskGroup(
      int count,
      long requestedBytes,
      int virtualCores,
      double usedCores,
      long durationMillis,
      MemoryCurve memory) {
    this(count, requestedBytes, virtualCores, usedCores, durationMillis, memory, 0);
  }
}
