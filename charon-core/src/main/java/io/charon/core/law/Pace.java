/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * When something may grow by a step again: about a second after the last one, however often it is
 * decided (ours; koordinator decides once a second).
 */
final class Pace {
  /** A tick may be a little early. */
  private static final long BETWEEN_NANOS = Duration.ofMillis(900).toNanos();

  private OptionalLong grownNanos = OptionalLong.empty();

  /** Whether a second has gone by, or nobody knows how long it was. */
  boolean allows(long nanos) {
    long since = grownNanos.isPresent() ? nanos - grownNanos.getAsLong() : BETWEEN_NANOS;
    return since < 0 || since >= BETWEEN_NANOS;
  }

  void grew(long nanos) {
    grownNanos = OptionalLong.of(nanos);
  }
}
