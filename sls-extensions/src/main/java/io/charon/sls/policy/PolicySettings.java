/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.policy;

import io.charon.sls.node.KillDelay;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings that the policies share; the defaults are those of {@code conf/charon-site.xml}.
 *
 * @param launches launches by Charon's snapshot
 * @param peaks profile of measured peaks
 * @param tolerance tolerated thrash, the paper's cgth_time
 * @param thresholdPercent share of the memory that user-space killers keep available
 * @param reservationPercent share of a node that stock YARN may allocate
 * @param killDelays profile of kill delays
 * @param displaces whether a full fair queue displaces containers; false for YARN's own NodeManager
 */
public record PolicySettings(
    Launches launches,
    Peaks peaks,
    Duration tolerance,
    int thresholdPercent,
    int reservationPercent,
    KillDelay.Profile killDelays,
    boolean displaces) {
  /**
   * The revision of what the policies mean. It grows when a policy of the same name and settings
   * decides differently, or the model of a node changes, so that results before and after are not
   * taken for one another.
   */
  public static final int REVISION = 2;

  /**
   * Launches by Charon's snapshot.
   *
   * @param resync interval at which the memory snapshot is read again
   * @param delay time for which launches wait after a kill
   * @param killsPerHour kills of a node that a learning margin tolerates
   */
  public record Launches(Duration resync, Duration delay, double killsPerHour) {
    /** Checks that nothing is missing. */
    public Launches {
      Objects.requireNonNull(resync, "resync");
      Objects.requireNonNull(delay, "delay");
    }
  }

  /**
   * The profile of measured peaks.
   *
   * @param samples number of measured peaks kept per job
   * @param percentile percentile of these peaks that is expected
   */
  public record Peaks(int samples, int percentile) {}

  /** Checks that nothing is missing. */
  public PolicySettings {
    Objects.requireNonNull(launches, "launches");
    Objects.requireNonNull(peaks, "peaks");
    Objects.requireNonNull(tolerance, "tolerance");
    Objects.requireNonNull(killDelays, "killDelays");
  }

  /** Returns the defaults with the given profile of kill delays. */
  public static PolicySettings defaults(KillDelay.Profile killDelays) {
    return new PolicySettings(
        new Launches(Duration.ofSeconds(5), Duration.ofSeconds(5), 1),
        new Peaks(20, 95),
        Duration.ofSeconds(3),
        10,
        90,
        killDelays,
        true);
  }

  /** Returns the same settings for nodes with YARN's own NodeManager. */
  public PolicySettings withoutDisplacement() {
    return new PolicySettings(
        launches, peaks, tolerance, thresholdPercent, reservationPercent, killDelays, false);
  }
}
