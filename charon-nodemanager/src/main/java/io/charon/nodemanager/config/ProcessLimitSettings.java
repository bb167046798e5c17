/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.law.RegulatorMode;

/**
 * Settings for limiting the number of processes and threads of best-effort.
 *
 * @param mode what the mechanism may do
 * @param reserve share of each bound that stays free for others, above 0, below 1
 */
public record ProcessLimitSettings(RegulatorMode mode, double reserve) {
  public static final String MODE = "yarn.nodemanager.charon.process-limit.mode";

  private static final double PERCENT = 100;

  /** Reads the settings; without cgroups the mode is off. */
  public static ProcessLimitSettings read(Keys keys, Mode mode, boolean cgroups) {
    return new ProcessLimitSettings(
        keys.mode(MODE, mode, cgroups),
        keys.number("yarn.nodemanager.charon.process-limit.reserve-percent", 1, 90) / PERCENT);
  }
}
