/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Allows a step about once a second, however often decisions are made (our choice; koordinator
 * decides once a second).
 */
final class StepRateLimiter {
  /** Slightly less than a second, because a tick may be early. */
  private static final long BETWEEN_NANOS = Duration.ofMillis(900).toNanos();

  private OptionalLong grownNanos = OptionalLong.empty();

  /** Returns whether a second has passed since the last step, or the elapsed time is unknown. */
  boolean allows(long nanos) {
    long since = grownNanos.isPresent() ? nanos - grownNanos.getAsLong() : BETWEEN_NANOS;
    return since < 0 || since >= BETWEEN_NANOS;
  }

  void grew(long nanos) {
    grownNanos = OptionalLong.of(nanos);
  }
}
