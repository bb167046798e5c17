/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.kill.VictimChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings for the kernel killer, where one is loaded.
 *
 * @param socket socket of its helper
 * @param thrashingTolerance the paper's cgth_time; zero: it never kills for thrash
 * @param policy policy by which the victim is chosen
 * @param owedTolerance how long a container may be owed memory without progress; zero: forever
 * @param watchedCgroups patterns of services outside YARN that may trigger a kill
 */
public record KernelKillerSettings(
    Path socket,
    Duration thrashingTolerance,
    VictimChoice.Policy policy,
    Duration owedTolerance,
    List<String> watchedCgroups) {
  public static final String ENABLED = "yarn.nodemanager.charon.killer.kernel.enabled";
  public static final String SOCKET = "yarn.nodemanager.charon.killer.socket";
  public static final String WATCHED_CGROUPS = "yarn.nodemanager.charon.killer.watched-cgroups";

  private static final int SHORTEST_OWED_MILLIS = 100;
  private static final int LONGEST_OWED_MILLIS = 600_000;

  /** Copies the list. */
  public KernelKillerSettings {
    watchedCgroups = List.copyOf(watchedCgroups);
  }

  /** Returns these settings with the tolerances and the policy of others. */
  KernelKillerSettings withRuleOf(KernelKillerSettings others) {
    return new KernelKillerSettings(
        socket, others.thrashingTolerance, others.policy, others.owedTolerance, watchedCgroups);
  }

  /**
   * Reads the settings; empty if the killer is not wanted, or containers have no cgroups. In other
   * modes than {@code enforce} they are present, but the killer is not used.
   */
  static Optional<KernelKillerSettings> read(Keys keys, boolean cgroups) {
    boolean enabled = keys.flag(ENABLED);
    KernelKillerSettings settings =
        new KernelKillerSettings(
            keys.absolutePath(SOCKET, "the absolute path of a socket"),
            keys.millis("yarn.nodemanager.charon.killer.cgth-time-ms", 0, 600_000),
            keys.choice("yarn.nodemanager.charon.killer.victim-policy", VictimChoice.Policy.class),
            owedTolerance(keys),
            keys.cgroupPatterns(WATCHED_CGROUPS));
    return enabled && cgroups ? Optional.of(settings) : Optional.empty();
  }

  /**
   * The kernel accepts no shorter time, and a node whose rule it refuses keeps no kernel killer.
   */
  private static Duration owedTolerance(Keys keys) {
    String key = "yarn.nodemanager.charon.killer.owed-time-ms";
    int millis = keys.number(key, 0, LONGEST_OWED_MILLIS);
    if (millis > 0 && millis < SHORTEST_OWED_MILLIS) {
      keys.wrong(
          key,
          keys.value(key),
          "0, or a whole number from %d to %d"
              .formatted(SHORTEST_OWED_MILLIS, LONGEST_OWED_MILLIS));
    }
    return Duration.ofMillis(millis);
  }
}
