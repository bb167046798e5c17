/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import java.time.Duration;
import java.util.Objects;

/**
 * Resources and times of the ApplicationMaster of a job.
 *
 * @param requestedBytes memory that it requests, at least 1
 * @param usedBytes memory that it uses while it runs, not negative
 * @param start undisturbed time from the allocation of its container until it requests the
 *     containers of its tasks
 * @param startCores processor time that it uses per second of its start, cores, not negative; with
 *     0, its start takes the same time on any node
 * @param usedCores processor time that it uses per second after its start, cores, not negative
 * @param end time from the end of its job until its container has ended, zero or more; MapReduce
 *     waits for late clients
 */
public record MasterProfile(
    long requestedBytes,
    long usedBytes,
    Duration start,
    double startCores,
    double usedCores,
    Duration end) {
  /** Checks the ranges. */
  public MasterProfile {
    Objects.requireNonNull(start, "start");
    Objects.requireNonNull(end, "end");
    if (requestedBytes < 1
        || usedBytes < 0
        || !(startCores >= 0)
        || !(usedCores >= 0)
        || start.isNegative()
        || end.isNegative()) {
      throw new IllegalArgumentException(
          "an ApplicationMaster needs memory and no negative times, got %d, %d, %s, %s, %s, %s"
              .formatted(requestedBytes, usedBytes, start, startCores, usedCores, end));
    }
  }
}
