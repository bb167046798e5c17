/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.freeze.FreezeSettings;
import io.charon.core.law.RegulatorMode;

/** Reads when best-effort containers are frozen. */
final class FreezeKeys {
  private FreezeKeys() {}

  /**
   * Reads the settings and checks the order of the thresholds: kill at or below freeze, and freeze
   * below thaw.
   */
  static FreezeSettings read(Keys keys, boolean cgroups, int killerPercent) {
    String modeKey = "yarn.nodemanager.charon.freeze.mode";
    String thresholdKey = "yarn.nodemanager.charon.freeze.threshold-percent";
    String thawKey = "yarn.nodemanager.charon.freeze.thaw-percent";
    RegulatorMode mode = keys.choice(modeKey, RegulatorMode.class);
    int threshold = keys.number(thresholdKey, 1, 90);
    int thaw = keys.number(thawKey, 1, 95);
    if (mode != RegulatorMode.OFF) {
      if (threshold < killerPercent) {
        keys.wrong(
            thresholdKey,
            keys.value(thresholdKey),
            "at least killer.threshold-percent (%d), or containers are killed before they are frozen"
                .formatted(killerPercent));
      }
      if (thaw <= threshold) {
        keys.wrong(
            thawKey,
            keys.value(thawKey),
            "more than freeze.threshold-percent (%d)".formatted(threshold));
      }
      if (!cgroups && mode == RegulatorMode.ENFORCE) {
        keys.problem(modeKey + " needs " + CgroupKeys.ENABLED + " to be true");
      }
    }
    return new FreezeSettings(
        mode,
        threshold,
        thaw,
        keys.millis("yarn.nodemanager.charon.freeze.timeout-ms", 1000, 86_400_000));
  }
}
