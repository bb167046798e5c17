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
 * What people see of pause before kill.
 *
 * @param mode what may be done
 * @param unavailable why it cannot work here, with the cure; empty if it can
 * @param paused who is frozen, or would be in mode observe, by container id
 */
public record PauseState(
    RegulatorMode mode, Optional<String> unavailable, Map<String, Paused> paused) {

  /**
   * A frozen container.
   *
   * @param nanos for how long
   * @param reclaimedBytes what went to swap
   * @param reason the measured value and the threshold
   */
  public record Paused(long nanos, long reclaimedBytes, String reason) {}
}
