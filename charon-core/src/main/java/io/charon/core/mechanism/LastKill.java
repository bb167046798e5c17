/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The time of the last kill of a container on this node, whatever caused it: a killer, a mechanism,
 * an operator or the kernel.
 *
 * @param nanos on the snapshot's clock; empty if there was no kill
 */
public record LastKill(OptionalLong nanos) implements Reading {
  /**
   * Returns whether the last kill is less than the given time away from now. A kill that was
   * recorded after the snapshot was taken also counts.
   */
  public boolean isWithin(Duration time, long nowNanos) {
    return nanos.isPresent() && Math.abs(nowNanos - nanos.getAsLong()) < time.toNanos();
  }
}
