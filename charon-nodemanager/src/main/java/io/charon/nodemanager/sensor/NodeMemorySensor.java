/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.scheduler.NodeMemory;
import java.io.IOException;
import java.util.function.LongUnaryOperator;

/** Reads the memory of the node within its configured boundary. Implementations are thread-safe. */
public interface NodeMemorySensor {
  /**
   * The memory of a node and its use.
   *
   * @param memory capacity and available memory
   * @param usedBytes memory in use without page cache; 0 to capacity
   * @param swappedBytes memory in swap; not negative
   */
  record MemoryReading(NodeMemory memory, long usedBytes, long swappedBytes) {
    /** Limits the use to its range, because files read one after the other may be inconsistent. */
    public MemoryReading {
      usedBytes = Math.min(Math.max(0, usedBytes), memory.capacityBytes());
    }

    /**
     * Returns the memory that would be in use if there were room for all of it, bytes; may exceed
     * the capacity.
     */
    public long demandBytes() {
      return usedBytes + swappedBytes;
    }
  }

  /**
   * Returns the current capacity and available memory.
   *
   * @throws IOException naming the file that cannot be read
   */
  NodeMemory read() throws IOException;

  /**
   * Returns the same together with the memory in use, from one reading. By default, all memory that
   * is not available counts as used.
   *
   * @throws IOException naming the file that cannot be read
   */
  default MemoryReading readUse() throws IOException {
    NodeMemory memory = read();
    return new MemoryReading(memory, memory.usedBytes(), 0);
  }

  /**
   * Returns whether {@link #read} would find at least this amount available, at the lowest cost
   * that gives the exact answer; for callers that ask every millisecond.
   *
   * @param bytes 0 or more
   * @throws IOException naming the file that cannot be read
   */
  default boolean availableAtLeast(long bytes) throws IOException {
    return availableAtLeast(capacityBytes -> bytes);
  }

  /**
   * Returns the same for an amount that depends on the capacity of that reading.
   *
   * @param bytesOfCapacity returns the amount, 0 or more, for the capacity in bytes
   * @throws IOException naming the file that cannot be read
   */
  default boolean availableAtLeast(LongUnaryOperator bytesOfCapacity) throws IOException {
    NodeMemory memory = read();
    return memory.availableBytes() >= bytesOfCapacity.applyAsLong(memory.capacityBytes());
  }
}
