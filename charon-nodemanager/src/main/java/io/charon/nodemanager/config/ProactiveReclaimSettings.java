/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.law.RegulatorMode;
import io.charon.core.law.reclaim.ReclaimScope;
import io.charon.core.law.reclaim.ReclaimSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings for reclaiming the cold memory of running containers.
 *
 * @param mode what the mechanism may do
 * @param law how much is reclaimed, and when reclaiming stops
 * @param memory file that preserves the original limits across a restart; empty where no container
 *     survives a restart
 */
public record ProactiveReclaimSettings(
    RegulatorMode mode, ReclaimSettings law, Optional<Path> memory) {
  public static final String MODE = "yarn.nodemanager.charon.proactive-reclaim.mode";
  public static final String PRODUCTION = "yarn.nodemanager.charon.proactive-reclaim.production";

  private static final int LONGEST_PERIOD_MILLIS = 3_600_000;
  private static final int LONGEST_HOLD_MILLIS = 86_400_000;
  private static final long MAX_MEBIBYTES = 1 << 20;

  /** Reads the settings; without cgroups the mode is off. */
  public static ProactiveReclaimSettings read(Keys keys, Mode mode, boolean cgroups) {
    return new ProactiveReclaimSettings(
        keys.mode(MODE, mode, cgroups),
        new ReclaimSettings(
            keys.decimal("yarn.nodemanager.charon.proactive-reclaim.percent", 0.01, 10),
            keys.millis(
                "yarn.nodemanager.charon.proactive-reclaim.period-ms", 1000, LONGEST_PERIOD_MILLIS),
            keys.decimal("yarn.nodemanager.charon.proactive-reclaim.waited-percent", 0.01, 100),
            keys.decimal("yarn.nodemanager.charon.proactive-reclaim.promoted-percent", 0, 100),
            keys.millis(
                "yarn.nodemanager.charon.proactive-reclaim.hold-ms", 0, LONGEST_HOLD_MILLIS),
            keys.wholeNumber(
                    "yarn.nodemanager.charon.proactive-reclaim.minimum-mb", 0, MAX_MEBIBYTES)
                << 20,
            keys.wholeNumber(
                    "yarn.nodemanager.charon.proactive-reclaim.swap-kb-per-second",
                    0,
                    MAX_MEBIBYTES)
                << 10,
            keys.choice(PRODUCTION, ReclaimScope.class)),
        RecoveryFile.of(keys.yarn(), "charon-cold-memory.properties"));
  }
}
