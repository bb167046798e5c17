/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.scheduler.NodeMemory;

/**
 * The memory of a node and what of it is in use.
 *
 * @param memory capacity, and what can be had now
 * @param usedBytes what is in use, page cache not counted; 0 to capacity
 * @param swappedBytes what is in swap; not negative
 */
public record MemoryReading(NodeMemory memory, long usedBytes, long swappedBytes) {
  /** Keeps the range: readings of different files may be of different instants. */
  public MemoryReading {
    usedBytes = Math.min(Math.max(0, usedBytes), memory.capacityBytes());
  }

  /** What would be in use if there were room for all of it, bytes; may be above the capacity. */
  public long demandBytes() {
    return usedBytes + swappedBytes;
  }
}
