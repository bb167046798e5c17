/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

/**
 * The memory of a container without reclaimable page cache.
 *
 * @param bytes the whole, 0 or more
 * @param memoryFilesBytes the part in files in memory ({@code /dev/shm}, tmpfs) and in shared
 *     memory; 0 to {@code bytes}
 * @param keptBytes the part of {@code memoryFilesBytes} that no process has mapped: it outlives the
 *     container
 */
public record WorkingSet(long bytes, long memoryFilesBytes, long keptBytes) {
  /** Returns a working set without files in memory. */
  public static WorkingSet of(long bytes) {
    return new WorkingSet(bytes, 0, 0);
  }

  /** Returns the memory that the container's death releases, bytes. */
  public long releasedBytes() {
    return bytes - keptBytes;
  }

  /** Returns the sum of two working sets of the same container. */
  public WorkingSet plus(WorkingSet other) {
    return new WorkingSet(
        bytes + other.bytes,
        memoryFilesBytes + other.memoryFilesBytes,
        keptBytes + other.keptBytes);
  }
}
