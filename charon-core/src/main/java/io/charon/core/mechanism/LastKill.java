/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * When somebody last killed a container of this node, whoever it was: a killer, a mechanism, an
 * operator, Linux.
 *
 * @param nanos on the clock of the snapshot; empty if nobody did
 */
public record LastKill(OptionalLong nanos) implements Reading {
  /** Whether that was no longer ago; a kill that is noted after the snapshot was taken counts. */
  public boolean isWithin(Duration time, long nowNanos) {
    return nanos.isPresent() && Math.abs(nowNanos - nanos.getAsLong()) < time.toNanos();
  }
}
