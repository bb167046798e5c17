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
 * How cold memory of running containers is taken.
 *
 * @param mode what may be done
 * @param law how much, and when no more
 * @param memory file that keeps the limits that were found over a restart; empty where no container
 *     outlives one
 */
public record ProactiveReclaimSettings(
    RegulatorMode mode, ReclaimSettings law, Optional<Path> memory) {
  /** What its keys start with; they may change at run time. */
  private static final String PREFIX = SettingsReader.PREFIX + "proactive-reclaim.";

  private static final int LONGEST_PERIOD_MILLIS = 3_600_000;
  private static final int LONGEST_HOLD_MILLIS = 86_400_000;
  private static final long MAX_MEBIBYTES = 1 << 20;

  /** Without cgroups it is off. */
  public static ProactiveReclaimSettings read(Keys keys, Mode mode, boolean cgroups) {
    return new ProactiveReclaimSettings(
        keys.mode(PREFIX + "mode", mode, cgroups),
        new ReclaimSettings(
            keys.decimal(PREFIX + "percent", 0.01, 10),
            keys.millis(PREFIX + "period-ms", 1000, LONGEST_PERIOD_MILLIS),
            keys.decimal(PREFIX + "waited-percent", 0.01, 100),
            keys.decimal(PREFIX + "promoted-percent", 0, 100),
            keys.millis(PREFIX + "hold-ms", 0, LONGEST_HOLD_MILLIS),
            keys.wholeNumber(PREFIX + "least-mb", 0, MAX_MEBIBYTES) << 20,
            keys.wholeNumber(PREFIX + "swap-kb-per-second", 0, MAX_MEBIBYTES) << 10,
            keys.choice(PREFIX + "production", ReclaimScope.class)),
        RecoveryFile.of(keys.yarn(), "charon-cold-memory.properties"));
  }
}
