/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.scheduler.NodeMemory;
import java.io.IOException;

/** The memory of the node, whatever its boundary is. Implementations are safe for many threads. */
public interface NodeMemorySensor {

  /**
   * Capacity and available memory of this instant.
   *
   * @throws IOException naming the file that cannot be read
   */
  NodeMemory read() throws IOException;

  /**
   * The same, and what is in use, from one reading. Without better knowledge everything that is not
   * available is.
   *
   * @throws IOException naming the file that cannot be read
   */
  default MemoryReading readUse() throws IOException {
    NodeMemory memory = read();
    return new MemoryReading(memory, memory.usedBytes(), 0);
  }

  /**
   * Whether {@link #read} would find at least so much memory available, at the least cost that
   * gives the exact answer; for the caller that asks every millisecond.
   *
   * @param bytes 0 or more
   * @throws IOException naming the file that cannot be read
   */
  boolean availableAtLeast(long bytes) throws IOException;
}
