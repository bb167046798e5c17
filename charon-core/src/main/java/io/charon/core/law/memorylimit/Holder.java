/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * A holder of memory other than best-effort, with its entitlement: a production container, a
 * service outside YARN, or the rest of the machine.
 *
 * @param name the name of the container or service
 * @param usedBytes memory charged to it plus its memory in swap, not negative
 * @param swapBytes the part of it in swap, not negative
 * @param cleanCacheBytes the part of the use that could be dropped at once: page cache that is
 *     neither dirty nor under writeback nor shared memory, not negative
 * @param rightBytes its entitlement, page cache included: a container's reservation, or the value
 *     that the operator set for a service; 0: only the unreclaimable memory; {@link #ALL}:
 *     everything it holds
 */
public record Holder(
    String name, long usedBytes, long swapBytes, long cleanCacheBytes, long rightBytes) {
  /** The entitlement to everything that the holder uses. */
  public static final long ALL = Long.MAX_VALUE;

  /**
   * Checks the ranges and limits the clean page cache to the use, as the two readings may be of
   * different instants.
   */
  public Holder {
    if (usedBytes < 0 || swapBytes < 0 || cleanCacheBytes < 0 || rightBytes < 0) {
      throw new IllegalArgumentException(
          "%s: bytes must not be negative, got %d used, %d in swap, %d clean, %d entitled"
              .formatted(name, usedBytes, swapBytes, cleanCacheBytes, rightBytes));
    }
    cleanCacheBytes = Math.min(cleanCacheBytes, usedBytes);
  }

  /** Creates a holder with nothing in swap. */
  public Holder(String name, long usedBytes, long cleanCacheBytes, long rightBytes) {
    this(name, usedBytes, 0, cleanCacheBytes, rightBytes);
  }

  /** Returns the use without swap, in bytes. */
  public long residentBytes() {
    return usedBytes - swapBytes;
  }

  /** Returns the memory that cannot be dropped, in bytes. */
  public long unreclaimableBytes() {
    return usedBytes - cleanCacheBytes;
  }

  /**
   * Returns the memory that must not be reclaimed, in bytes: {@code unreclaimable + min(clean,
   * right - unreclaimable)}.
   */
  public long keptBytes() {
    return usedBytes - excessBytes();
  }

  /** Returns clean page cache beyond the entitlement: best-effort need not yield to it. */
  public long excessBytes() {
    return Math.max(0, Math.min(cleanCacheBytes, usedBytes - rightBytes));
  }

  /**
   * Returns the part of the entitlement that is not used yet, in bytes; 0 for {@link #ALL}, which
   * is not an amount.
   */
  public long owedBytes() {
    return rightBytes == ALL ? 0 : Math.max(0, rightBytes - usedBytes);
  }
}
