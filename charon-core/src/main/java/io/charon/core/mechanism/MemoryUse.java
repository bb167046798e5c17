/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

/**
 * The memory in use on the node: everything except available memory, which includes page cache that
 * could be dropped.
 *
 * @param usedBytes 0 to the capacity
 * @param capacityBytes the memory of the node, not negative
 */
public record MemoryUse(long usedBytes, long capacityBytes) implements Reading {
  /** Clamps both values to their range: readings of different files may differ in time. */
  public MemoryUse {
    capacityBytes = Math.max(0, capacityBytes);
    usedBytes = Math.min(Math.max(0, usedBytes), capacityBytes);
  }

  /**
   * Returns whether at least the given percentage of the node's memory is in use; false for a node
   * without memory.
   */
  public boolean isAtLeast(double percent) {
    return capacityBytes > 0 && usedBytes >= bytes(percent);
  }

  /** Returns the given percentage of the node's memory, in bytes. */
  public double bytes(double percent) {
    return capacityBytes * percent / 100;
  }
}
