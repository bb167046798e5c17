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
 * The state of freeze before kill, for status pages.
 *
 * @param mode the mode in force
 * @param unavailable why freezing cannot work here, with the cure; empty if it can
 * @param frozen containers that are frozen, or in mode observe would be, by container id
 */
public record FreezeState(
    RegulatorMode mode, Optional<String> unavailable, Map<String, Frozen> frozen) {

  /**
   * A frozen container.
   *
   * @param nanos time since it was frozen, nanoseconds
   * @param reclaimedBytes memory of it that went to swap, bytes
   * @param reason the measured value and the threshold
   */
  public record Frozen(long nanos, long reclaimedBytes, String reason) {}
}
