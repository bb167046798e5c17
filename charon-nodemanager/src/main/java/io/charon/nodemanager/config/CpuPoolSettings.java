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
 * Settings for the quotas of production containers that share processors; the quotas follow the use
 * of these processors.
 *
 * @param mode what the mechanism may do
 * @param highUse use of the processors above which quotas are lowered, above 0, at most 1; empty:
 *     chosen by whether two threads share a core
 * @param memory file that preserves the original values across a restart; empty where no container
 *     survives a restart
 */
public record CpuPoolSettings(RegulatorMode mode, OptionalDouble highUse, Optional<Path> memory) {
  public static final String MODE = "yarn.nodemanager.charon.cpu-pool.mode";
  public static final String HIGH_PERCENT = "yarn.nodemanager.charon.cpu-pool.high-percent";

  private static final double PERCENT = 100;

  /** Reads the settings; without cgroups the mode is off. */
  public static CpuPoolSettings read(Keys keys, Mode mode, boolean cgroups) {
    int high = keys.number(HIGH_PERCENT, 0, 100);
    return new CpuPoolSettings(
        keys.mode(MODE, mode, cgroups),
        high == 0 ? OptionalDouble.empty() : OptionalDouble.of(high / PERCENT),
        RecoveryFile.of(keys.yarn(), "charon-cpu-pool.properties"));
  }
}
