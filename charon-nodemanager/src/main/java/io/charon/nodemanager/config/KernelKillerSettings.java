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
 * How this node uses the kernel killer, where one is loaded.
 *
 * @param socket where its helper answers
 * @param thrashingTolerance cgth_time, zero: it never kills
 * @param policy who dies
 * @param owedTolerance how long a container may be owed memory without progress, zero: for ever
 * @param watchedCgroups patterns of services outside YARN that may trigger a kill
 */
public record KernelKillerSettings(
    Path socket,
    Duration thrashingTolerance,
    VictimChoice.Policy policy,
    Duration owedTolerance,
    List<String> watchedCgroups) {
  /** Copies the list. */
  public KernelKillerSettings {
    watchedCgroups = List.copyOf(watchedCgroups);
  }

  /** These settings with the tolerances and the policy of others. */
  KernelKillerSettings withRuleOf(KernelKillerSettings others) {
    return new KernelKillerSettings(
        socket, others.thrashingTolerance, others.policy, others.owedTolerance, watchedCgroups);
  }

  /** A baseline has none; where nothing is enforced it is known and kills nobody. */
  static Optional<KernelKillerSettings> read(Keys keys, Mode mode, boolean cgroups) {
    boolean enabled = keys.flag(SettingsReader.PREFIX + "killer.kernel-enabled");
    KernelKillerSettings settings =
        new KernelKillerSettings(
            keys.absolutePath(
                SettingsReader.PREFIX + "killer.socket", "the absolute path of a socket"),
            keys.millis(SettingsReader.PREFIX + "killer.cgth-time-ms", 0, 600_000),
            keys.choice(SettingsReader.PREFIX + "killer.victim-policy", VictimChoice.Policy.class),
            keys.millis(SettingsReader.PREFIX + "killer.owed-time-ms", 0, 600_000),
            keys.cgroupPatterns(SettingsReader.PREFIX + "killer.watched-cgroups"));
    return enabled && cgroups && mode != Mode.KUBER ? Optional.of(settings) : Optional.empty();
  }
}
