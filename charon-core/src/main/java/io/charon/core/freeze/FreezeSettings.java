/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.freeze;

import io.charon.core.law.RegulatorMode;
import java.time.Duration;

/**
 * Thresholds and limits for freezing best-effort containers when memory is short.
 *
 * @param mode whether decisions are carried out
 * @param thresholdPercent share of the node's memory, in percent; while less is available, the
 *     newest container is frozen
 * @param thawPercent share of the node's memory, in percent; once as much is available, the oldest
 *     container continues
 * @param limit the maximum time for which a container is frozen before it is killed
 */
public record FreezeSettings(
    RegulatorMode mode, int thresholdPercent, int thawPercent, Duration limit) {
  /** Returns a copy whose decisions are reported, but not carried out. */
  public FreezeSettings observing() {
    return new FreezeSettings(RegulatorMode.OBSERVE, thresholdPercent, thawPercent, limit);
  }
}
