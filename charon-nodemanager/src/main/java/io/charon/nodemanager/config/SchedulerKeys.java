/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.scheduler.ProcessorLimits;
import io.charon.core.scheduler.StartLimit;
import io.charon.nodemanager.config.SchedulerSettings.LaunchEstimate;
import io.charon.nodemanager.config.SchedulerSettings.QueueDiscipline;
import io.charon.nodemanager.config.SchedulerSettings.SharingSettings;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Reads how best-effort containers wait and start. */
public final class SchedulerKeys {
  public static final String QUEUE_ORDER = "yarn.nodemanager.charon.scheduler.queue-order";
  public static final String QUEUE_AGING = "yarn.nodemanager.charon.scheduler.queue-aging-ms";
  public static final String ESTIMATE = "yarn.nodemanager.charon.scheduler.estimate";
  public static final String KILLS_PER_HOUR = "yarn.nodemanager.charon.scheduler.kills-per-hour";
  public static final String RESYNC = "yarn.nodemanager.charon.scheduler.resync-ms";
  public static final String LAUNCH_BACKOFF = "yarn.nodemanager.charon.scheduler.launch-backoff-ms";
  public static final String STARTS_PER_CORE = "yarn.nodemanager.charon.scheduler.starts-per-core";
  public static final String START_WINDOW = "yarn.nodemanager.charon.scheduler.start-window-ms";
  public static final String RUNNABLE_PER_CORE =
      "yarn.nodemanager.charon.scheduler.runnable-per-core";
  public static final String WINDOW_SAMPLES =
      "yarn.nodemanager.charon.scheduler.profile.window-samples";
  public static final String PERCENTILE = "yarn.nodemanager.charon.scheduler.profile.percentile";
  public static final String HALF_LIFE = "yarn.nodemanager.charon.scheduler.profile.half-life-ms";
  public static final String SHARE_PEAKS = "yarn.nodemanager.charon.scheduler.share-peaks.enabled";

  /**
   * With a shorter half-life, only the last container of a job that runs once a day would count.
   */
  private static final Duration SHORTEST_HALF_LIFE = Duration.ofMinutes(1);

  private static final Duration LONGEST_HALF_LIFE = Duration.ofDays(3650);

  /** With fewer, no job would ever be known to the estimate {@code growth}. */
  private static final int MIN_WINDOW_SAMPLES = 3;

  /** Far beyond the number of containers that one core can start within a window. */
  private static final double MAX_STARTS_PER_CORE = 1000;

  /** Far beyond the number of threads with which a node is of any use. */
  private static final double MAX_RUNNABLE_PER_CORE = 1000;

  private static final double MIN_KILLS_PER_HOUR = 0.01;
  private static final double MAX_KILLS_PER_HOUR = 1000;

  /** The only policy under which YARN's queue limit applies. */
  private static final String QUEUE_POLICY = "BY_QUEUE_LEN";

  private final Keys keys;

  private SchedulerKeys(Keys keys) {
    this.keys = keys;
  }

  /** Reads the settings from {@code keys} and adds invalid values to their problems. */
  static SchedulerSettings read(Keys keys, Mode mode) {
    return new SchedulerKeys(keys).scheduler(mode);
  }

  private SchedulerSettings scheduler(Mode mode) {
    int queueLimit = queueLimit(mode);
    checkQueuePolicy(mode);
    return new SchedulerSettings(
        new SchedulerSettings.Queue(
            queueLimit,
            keys.choice(QUEUE_ORDER, QueueDiscipline.class),
            keys.millis(QUEUE_AGING, 1000, 86_400_000),
            longestWait()),
        new SchedulerSettings.Launch(
            keys.choice(ESTIMATE, LaunchEstimate.class),
            keys.decimal(KILLS_PER_HOUR, MIN_KILLS_PER_HOUR, MAX_KILLS_PER_HOUR),
            keys.millis(RESYNC, 100, 600_000),
            keys.millis(LAUNCH_BACKOFF, 0, 600_000),
            new ProcessorLimits(
                new StartLimit(
                    keys.decimal(STARTS_PER_CORE, 0, MAX_STARTS_PER_CORE),
                    keys.millis(START_WINDOW, 100, 600_000)),
                keys.decimal(RUNNABLE_PER_CORE, 0, MAX_RUNNABLE_PER_CORE))),
        new SchedulerSettings.Profile(
            keys.number(WINDOW_SAMPLES, MIN_WINDOW_SAMPLES, 1000),
            keys.number(PERCENTILE, 1, 100),
            halfLife(),
            keys.flag("yarn.nodemanager.charon.scheduler.profile.application-names.enabled"),
            keys.optionalPath("yarn.nodemanager.charon.scheduler.profile.file", "file"),
            sharing()));
  }

  private Optional<SharingSettings> sharing() {
    boolean shared = keys.flag(SHARE_PEAKS);
    Duration period =
        keys.millis("yarn.nodemanager.charon.scheduler.share-peaks.period-ms", 1000, 3_600_000);
    if (!shared) {
      return Optional.empty();
    }
    try {
      return Optional.of(new SharingSettings(ResourceManagers.webServers(keys.yarn()), period));
    } catch (IllegalArgumentException e) {
      keys.problem(SHARE_PEAKS + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<Duration> longestWait() {
    return Optional.of(keys.millis("yarn.nodemanager.charon.scheduler.max-wait-ms", 0, 86_400_000))
        .filter(wait -> !wait.isZero());
  }

  private Duration halfLife() {
    long millis = keys.wholeNumber(HALF_LIFE, 0, LONGEST_HALF_LIFE.toMillis());
    if (millis > 0 && millis < SHORTEST_HALF_LIFE.toMillis()) {
      keys.wrong(
          HALF_LIFE,
          keys.value(HALF_LIFE),
          "0, or a whole number from %d to %d"
              .formatted(SHORTEST_HALF_LIFE.toMillis(), LONGEST_HALF_LIFE.toMillis()));
    }
    return Duration.ofMillis(millis);
  }

  private int queueLimit(Mode mode) {
    String key = YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_MAX_QUEUE_LENGTH;
    String value =
        keys.yarn()
            .getTrimmed(
                key,
                Integer.toString(
                    YarnConfiguration.DEFAULT_NM_OPPORTUNISTIC_CONTAINERS_MAX_QUEUE_LENGTH));
    int limit;
    try {
      limit = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      keys.wrong(key, value, "a whole number");
      return 0;
    }
    if (mode.acts() && limit < 1) {
      keys.problem(
          key
              + " is '"
              + limit
              + "': no best-effort container could start; set it to 1 or more (paper: 5), and"
              + " the ResourceManager's "
              + YarnConfiguration.NM_CONTAINER_QUEUING_MIN_QUEUE_LENGTH
              + " and "
              + YarnConfiguration.NM_CONTAINER_QUEUING_MAX_QUEUE_LENGTH
              + " to the same value");
    }
    return limit;
  }

  /**
   * Rejects the other policy, which limits the queue by reserved memory, because Charon reports
   * none.
   */
  private void checkQueuePolicy(Mode mode) {
    String key = YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_QUEUE_POLICY;
    String policy = keys.yarn().getTrimmed(key, QUEUE_POLICY);
    if (mode.acts() && !policy.equals(QUEUE_POLICY)) {
      keys.wrong(key, policy, QUEUE_POLICY + ", otherwise the queue has no limit");
    }
  }
}
