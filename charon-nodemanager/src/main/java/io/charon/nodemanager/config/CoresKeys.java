/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.cpuset.CorePlacement;
import io.charon.core.law.CoresSettings;
import io.charon.core.law.WaterLine;

/** Reads which cores best-effort gets, and the water line for the node's cores. */
public final class CoresKeys {
  public static final String FOLLOW_LOAD =
      "yarn.nodemanager.charon.regulator.cores.follow-load.enabled";
  public static final String WATER_LINE =
      "yarn.nodemanager.charon.regulator.cpu.water-line-percent";
  static final String WINDOW = "yarn.nodemanager.charon.regulator.cores.window-ms";

  private CoresKeys() {}

  /** Reads the settings from {@code keys} and adds invalid values to its problems. */
  static CoresSettings read(Keys keys) {
    return new CoresSettings(
        keys.flag(FOLLOW_LOAD),
        keys.number(
            "yarn.nodemanager.charon.regulator.cores.minimum-cores", 1, RegulatorKeys.MAX_CORES),
        keys.decimal(
            "yarn.nodemanager.charon.regulator.cores.headroom-cores", 0, RegulatorKeys.MAX_CORES),
        keys.millis(WINDOW, 1000, 86_400_000),
        WaterLine.of(keys.number(WATER_LINE, 0, WaterLine.MAX_PERCENT)),
        keys.choice("yarn.nodemanager.charon.regulator.cores.placement", CorePlacement.class));
  }
}
