/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import java.time.Duration;
import java.util.Objects;

/**
 * What the ApplicationMaster of a job takes.
 *
 * @param requestedBytes memory that it asks for, at least 1
 * @param usedBytes memory that it uses while it lives, not negative
 * @param start from the allocation of its container until it asks for its tasks' containers, when
 *     nobody disturbs it
 * @param startCores processor time that it uses per second of its start, cores, not negative; with
 *     0, its start takes the same time on any node
 * @param usedCores processor time that it uses per second from then on, cores, not negative
 * @param end from the end of its job until its container is gone, zero or more; MapReduce waits for
 *     late clients
 */
public record MasterSettings(
    long requestedBytes,
    long usedBytes,
    Duration start,
    double startCores,
    double usedCores,
    Duration end) {
  /** Checks the ranges. */
  public MasterSettings {
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
