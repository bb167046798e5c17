/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.scheduler.ProcessorLimits;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Settings of the local scheduler.
 *
 * @param queue the best-effort containers that wait
 * @param launch when one of them is launched
 * @param profile what is learned about jobs
 */
public record SchedulerSettings(Queue queue, Launch launch, Profile profile) {
  /**
   * Settings for sharing measured peaks with other nodes.
   *
   * @param resourceManagers web servers of all ResourceManagers, at least one
   * @param period period of the exchange
   */
  public record SharingSettings(List<URI> resourceManagers, Duration period) {
    /** Copies the list and checks that no component is null. */
    public SharingSettings {
      resourceManagers = List.copyOf(resourceManagers);
      Objects.requireNonNull(period, "period");
    }
  }

  /** The order in which waiting best-effort containers start. */
  public enum QueueDiscipline {
    /** By arrival (Charon paper, section 4). */
    FIFO,
    /** First from the application that holds the least memory on this node (paper, section 5.6). */
    FAIR_APPLICATION,
    /** First from the user who holds the least memory on this node (our choice). */
    FAIR_USER
  }

  /**
   * The memory that a running best-effort container is charged with when the next one wants to
   * start.
   */
  public enum LaunchEstimate {
    /** The percentile of its job's peaks during its whole life (Charon paper, section 4.2). */
    PEAK,
    /**
     * Its expected further growth; once its memory is stable, no growth but an uncertainty of a
     * tenth of its use (our choice).
     */
    GROWTH
  }

  /** Checks that no component is null. */
  public SchedulerSettings {
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(launch, "launch");
    Objects.requireNonNull(profile, "profile");
  }

  /**
   * Settings of the queue.
   *
   * @param limit number of best-effort containers that may wait; YARN's own key
   * @param order order in which waiting containers start
   * @param aging waiting time after which a container precedes all others in a fair order
   * @param longestWait waiting time after which a container is handed back to the ResourceManager,
   *     positive; empty: never
   */
  public record Queue(
      int limit, QueueDiscipline order, Duration aging, Optional<Duration> longestWait) {
    /** Checks that no component is null. */
    public Queue {
      Objects.requireNonNull(order, "order");
      Objects.requireNonNull(aging, "aging");
      Objects.requireNonNull(longestWait, "longestWait");
    }
  }

  /**
   * Settings of the launch decision.
   *
   * @param estimate the memory that running containers are charged with
   * @param killsPerHour kills for memory per hour that the margin of estimate {@code growth}
   *     tolerates, more than 0
   * @param resync period at which the memory snapshot is read afresh
   * @param backoff how long launches wait after a kill
   * @param processors limits that depend on the node's processors
   */
  public record Launch(
      LaunchEstimate estimate,
      double killsPerHour,
      Duration resync,
      Duration backoff,
      ProcessorLimits processors) {
    /** Checks that no component is null. */
    public Launch {
      Objects.requireNonNull(estimate, "estimate");
      Objects.requireNonNull(resync, "resync");
      Objects.requireNonNull(backoff, "backoff");
      Objects.requireNonNull(processors, "processors");
    }
  }

  /**
   * Settings of the measured peaks of jobs.
   *
   * @param windowSamples measured peaks kept per job
   * @param percentile percentile of the measured peaks that is expected
   * @param halfLife time in which a measured peak loses half of its weight; zero: age does not
   *     count
   * @param applicationNames whether jobs are also distinguished by names and queues of applications
   * @param file file that preserves the peaks across restarts; empty: none
   * @param sharing how peaks are shared with other nodes; empty: not at all
   */
  public record Profile(
      int windowSamples,
      int percentile,
      Duration halfLife,
      boolean applicationNames,
      Optional<Path> file,
      Optional<SharingSettings> sharing) {
    /** Checks that no component is null. */
    public Profile {
      Objects.requireNonNull(halfLife, "halfLife");
      Objects.requireNonNull(file, "file");
      Objects.requireNonNull(sharing, "sharing");
    }
  }
}
