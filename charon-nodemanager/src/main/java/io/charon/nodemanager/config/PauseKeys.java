/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.freeze.PauseSettings;
import io.charon.core.law.RegulatorMode;

/** Reads when best-effort containers are paused. */
final class PauseKeys {
  /** Common prefix of the keys; they may change at run time. */
  static final String PAUSE = SettingsReader.PREFIX + "pause.";

  private PauseKeys() {}

  /**
   * Reads the settings and checks the order of the thresholds: kill at or below pause, and pause
   * below resume.
   */
  static PauseSettings read(Keys keys, boolean cgroups, int killerPercent) {
    RegulatorMode mode = keys.choice(PAUSE + "mode", RegulatorMode.class);
    String thresholdKey = PAUSE + "threshold-percent";
    String resumeKey = PAUSE + "resume-percent";
    int threshold = keys.number(thresholdKey, 1, 90);
    int resume = keys.number(resumeKey, 1, 95);
    if (mode != RegulatorMode.OFF) {
      if (threshold < killerPercent) {
        keys.wrong(
            thresholdKey,
            keys.value(thresholdKey),
            "at least killer.threshold-percent (%d), or containers are killed before they are paused"
                .formatted(killerPercent));
      }
      if (resume <= threshold) {
        keys.wrong(
            resumeKey,
            keys.value(resumeKey),
            "more than pause.threshold-percent (%d)".formatted(threshold));
      }
      if (!cgroups && mode == RegulatorMode.ENFORCE) {
        keys.problem(PAUSE + "mode needs " + SettingsReader.PREFIX + "cgroup.enabled to be true");
      }
    }
    return new PauseSettings(
        mode, threshold, resume, keys.millis(PAUSE + "limit-ms", 1000, 86_400_000));
  }
}
