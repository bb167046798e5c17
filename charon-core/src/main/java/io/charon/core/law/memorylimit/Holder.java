/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * Somebody who is not best-effort, and what he may keep: a production container, a service outside
 * YARN, the rest of the machine.
 *
 * @param name of the container or service
 * @param usedBytes memory charged to it and what it has in swap, not negative
 * @param cleanCacheBytes what of it could be dropped at once: page cache that is neither dirty nor
 *     under writeback nor shared memory, not negative
 * @param rightBytes what is its own, page cache included: a container's reservation, what the
 *     operator gave a service; 0: only what cannot be dropped; {@link #ALL}: whatever it has
 */
public record Holder(String name, long usedBytes, long cleanCacheBytes, long rightBytes) {
  /** The right to everything that it has. */
  public static final long ALL = Long.MAX_VALUE;

  /** Checks the ranges; of two readings that were not taken at once, use counts. */
  public Holder {
    if (usedBytes < 0 || cleanCacheBytes < 0 || rightBytes < 0) {
      throw new IllegalArgumentException(
          "%s: bytes must not be negative, got %d used, %d clean, %d by right"
              .formatted(name, usedBytes, cleanCacheBytes, rightBytes));
    }
    cleanCacheBytes = Math.min(cleanCacheBytes, usedBytes);
  }

  /** What cannot be dropped. */
  public long unreclaimableBytes() {
    return usedBytes - cleanCacheBytes;
  }

  /** {@code unreclaimable + min(clean, right - unreclaimable)}: what nobody may take. */
  public long keptBytes() {
    return usedBytes - excessBytes();
  }

  /** Clean page cache beyond its right: best-effort need not give way to it. */
  public long excessBytes() {
    return Math.max(0, Math.min(cleanCacheBytes, usedBytes - rightBytes));
  }

  /** What it may still come to hold by right; 0 with a right to all, which names no amount. */
  public long owedBytes() {
    return rightBytes == ALL ? 0 : Math.max(0, rightBytes - usedBytes);
  }
}
