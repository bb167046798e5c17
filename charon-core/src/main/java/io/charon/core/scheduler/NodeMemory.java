/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/**
 * One reading of a node's memory. The node is the host, or the memory cgroup that confines it.
 *
 * @param capacityBytes all memory of the node, at least 1
 * @param availableBytes memory that is available without swapping (MemAvailable, or limit minus
 *     working set), 0 to capacity
 */
public record NodeMemory(long capacityBytes, long availableBytes) {
  /** Checks the ranges. */
  public NodeMemory {
    if (capacityBytes < 1) {
      throw new IllegalArgumentException("capacityBytes must be at least 1, got " + capacityBytes);
    }
    if (availableBytes < 0 || availableBytes > capacityBytes) {
      throw new IllegalArgumentException(
          "availableBytes must be within 0 and " + capacityBytes + ", got " + availableBytes);
    }
  }

  /** Returns all memory that is not available, in bytes. */
  public long usedBytes() {
    return capacityBytes - availableBytes;
  }

  /**
   * Returns the same node with part of the available memory set aside.
   *
   * @param bytes not negative; if it exceeds the available memory, nothing is left
   */
  public NodeMemory lessAvailable(long bytes) {
    return new NodeMemory(capacityBytes, Math.max(0, availableBytes - bytes));
  }
}
