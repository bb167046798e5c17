/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import io.charon.core.law.RegulatorMode;
import java.util.Map;
import java.util.Optional;

/**
 * The state of pause before kill, for status pages.
 *
 * @param mode the mode in force
 * @param unavailable why pausing cannot work here, with the cure; empty if it can
 * @param paused containers that are frozen, or in mode observe would be, by container id
 */
public record PauseState(
    RegulatorMode mode, Optional<String> unavailable, Map<String, Paused> paused) {

  /**
   * A frozen container.
   *
   * @param nanos time since it was frozen, nanoseconds
   * @param reclaimedBytes memory of it that went to swap, bytes
   * @param reason the measured value and the threshold
   */
  public record Paused(long nanos, long reclaimedBytes, String reason) {}
}
