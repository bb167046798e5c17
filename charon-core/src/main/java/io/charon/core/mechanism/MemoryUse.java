/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

/**
 * How much of the node's memory is in use: all but what is available, which counts page cache that
 * could be dropped as free.
 *
 * @param usedBytes 0 to the capacity
 * @param capacityBytes what there is, not negative
 */
public record MemoryUse(long usedBytes, long capacityBytes) implements Reading {
  /** Keeps the range: readings of different files may be of different instants. */
  public MemoryUse {
    capacityBytes = Math.max(0, capacityBytes);
    usedBytes = Math.min(Math.max(0, usedBytes), capacityBytes);
  }

  /** Whether at least so many percent of the node are in use; never of a node without memory. */
  public boolean isAtLeast(double percent) {
    return capacityBytes > 0 && usedBytes >= bytes(percent);
  }

  /** So many percent of the node, bytes. */
  public double bytes(double percent) {
    return capacityBytes * percent / 100;
  }
}
