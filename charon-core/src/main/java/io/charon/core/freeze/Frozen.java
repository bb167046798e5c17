/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.freeze;

/**
 * A container that is frozen because memory is short.
 *
 * @param containerId YARN's container id
 * @param sinceNanos the monotonic time at which it was frozen
 * @param reclaimAsked whether reclaim of its memory has been requested already
 * @param reclaimedBytes its memory that went to swap; it returns to memory when the container
 *     continues
 */
public record Frozen(
    String containerId, long sinceNanos, boolean reclaimAsked, long reclaimedBytes) {

  public static Frozen now(String containerId, long nowNanos) {
    return new Frozen(containerId, nowNanos, false, 0);
  }

  public Frozen asked() {
    return new Frozen(containerId, sinceNanos, true, reclaimedBytes);
  }

  public Frozen reclaimed(long bytes) {
    return new Frozen(containerId, sinceNanos, true, bytes);
  }
}
