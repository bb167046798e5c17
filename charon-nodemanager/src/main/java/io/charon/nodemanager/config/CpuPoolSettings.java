/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.law.RegulatorMode;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether production containers that share processors get quotas that follow the use of these.
 *
 * @param mode what may be done
 * @param highUse share of the processors above which quotas are taken back, above 0, at most 1;
 *     empty: by whether threads share cores
 * @param memory file that keeps what was found over a restart; empty where no container outlives
 *     one
 */
public record CpuPoolSettings(RegulatorMode mode, OptionalDouble highUse, Optional<Path> memory) {
  /** What its keys start with; both may change at run time. */
  private static final String PREFIX = SettingsReader.PREFIX + "cpu-pool.";

  private static final double PERCENT = 100;

  /** Without cgroups it is off. */
  public static CpuPoolSettings read(Keys keys, Mode mode, boolean cgroups) {
    int high = keys.number(PREFIX + "high-percent", 0, 100);
    return new CpuPoolSettings(
        keys.mode(PREFIX + "mode", mode, cgroups),
        high == 0 ? OptionalDouble.empty() : OptionalDouble.of(high / PERCENT),
        RecoveryFile.of(keys.yarn(), "charon-cpu-pool.properties"));
  }
}
