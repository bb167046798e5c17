/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.workload;

import java.util.Objects;

/**
 * Tasks of a job that are alike.
 *
 * @param count how many, at least 1
 * @param requestedBytes memory that each asks for, at least 1
 * @param virtualCores cores that each asks for, at least 1
 * @param usedCores processor time that each uses per second of undisturbed run, cores
 * @param durationMillis how long each runs undisturbed, at least 1
 * @param memory what each really uses
 * @param stage when they run: once all tasks of lower stages are done, from 0
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

  /** Tasks that are ready at once. */
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
