/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.scheduler.NodeMemory;

/**
 * The memory of a node and its use.
 *
 * @param memory capacity and available memory
 * @param usedBytes memory in use without page cache; 0 to capacity
 * @param swappedBytes memory in swap; not negative
 */
public record MemoryReading(NodeMemory memory, long usedBytes, long swappedBytes) {
  /** Limits the use to its range, because files read one after the other may be inconsistent. */
  public MemoryReading {
    usedBytes = Math.min(Math.max(0, usedBytes), memory.capacityBytes());
  }

  /**
   * Returns the memory that would be in use if there were room for all of it, bytes; may exceed the
   * capacity.
   */
  public long demandBytes() {
    return usedBytes + swappedBytes;
  }
}
