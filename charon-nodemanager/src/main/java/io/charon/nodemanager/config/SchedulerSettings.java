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
 * How the local scheduler decides.
 *
 * @param queueLimit best-effort containers that may wait; YARN's own key
 * @param queueOrder who of them starts first
 * @param queueAging who has waited for longer comes before everybody where the order is fair
 * @param longestWait who has waited for longer is handed back to the ResourceManager, positive;
 *     empty if nobody is
 * @param estimate what running containers are charged with
 * @param killsPerHour kills for memory that the margin of estimate growth tolerates, more than 0
 * @param resync how often the memory snapshot is read afresh
 * @param delay how long launches wait after a kill
 * @param starts how many may start at a time
 * @param profileWindowSamples measured peaks kept per job
 * @param profilePercentile which of them is expected
 * @param profileHalfLife in which a measured peak loses half of its weight; zero if age does not
 *     count
 * @param applicationNames whether names and queues of applications tell jobs apart
 * @param profileFile where they outlive the NodeManager; empty if nowhere
 * @param sharing how they are shared with other nodes; empty if they are not
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
  /** Checks that nothing is missing. */
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
