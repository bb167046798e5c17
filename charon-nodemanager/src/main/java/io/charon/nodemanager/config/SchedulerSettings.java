/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.scheduler.StartLimit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Settings of the local scheduler.
 *
 * @param queueLimit number of best-effort containers that may wait; YARN's own key
 * @param queueOrder order in which waiting containers start
 * @param queueAging waiting time after which a container precedes all others in a fair order
 * @param longestWait waiting time after which a container is handed back to the ResourceManager,
 *     positive; empty: never
 * @param estimate the memory that running containers are charged with
 * @param killsPerHour kills for memory per hour that the margin of estimate {@code growth}
 *     tolerates, more than 0
 * @param resync period at which the memory snapshot is read afresh
 * @param delay how long launches wait after a kill
 * @param starts number of containers that may be starting at the same time
 * @param profileWindowSamples measured peaks kept per job
 * @param profilePercentile percentile of the measured peaks that is expected
 * @param profileHalfLife time in which a measured peak loses half of its weight; zero: age does not
 *     count
 * @param applicationNames whether jobs are also distinguished by names and queues of applications
 * @param profileFile file that preserves the peaks across restarts; empty: none
 * @param sharing how peaks are shared with other nodes; empty: not at all
 */
public record SchedulerSettings(
    int queueLimit,
    QueueDiscipline queueOrder,
    Duration queueAging,
    Optional<Duration> longestWait,
    LaunchEstimate estimate,
    double killsPerHour,
    Duration resync,
    Duration delay,
    StartLimit starts,
    int profileWindowSamples,
    int profilePercentile,
    Duration profileHalfLife,
    boolean applicationNames,
    Optional<Path> profileFile,
    Optional<SharingSettings> sharing) {
  /** Checks that no component is null. */
  public SchedulerSettings {
    Objects.requireNonNull(queueOrder, "queueOrder");
    Objects.requireNonNull(longestWait, "longestWait");
    Objects.requireNonNull(estimate, "estimate");
    Objects.requireNonNull(starts, "starts");
    Objects.requireNonNull(profileHalfLife, "profileHalfLife");
    Objects.requireNonNull(profileFile, "profileFile");
    Objects.requireNonNull(sharing, "sharing");
  }
}
