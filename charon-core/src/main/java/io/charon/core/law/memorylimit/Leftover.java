/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Tells memory that ended containers have left, such as files in {@code /dev/shm}, from memory that
 * containers release while they end and from the kernel's own memory for running ones. All
 * thresholds are our choice.
 */
public final class Leftover {
  /** How long memory must have belonged to no container. */
  static final Duration LASTING = Duration.ofSeconds(10);

  /** The kernel's own memory for running containers is less. */
  static final long TOLERATED_BYTES = 32L << 20;

  private static final int TOLERATED_SHARE_OF_NODE = 50;

  private OptionalLong sinceNanos = OptionalLong.empty();

  /**
   * Returns the memory that is left over; to be called at every sample.
   *
   * @param nowNanos the current monotonic time
   * @param unaccountedBytes best-effort's memory that none of its running containers accounts for
   * @param boundaryBytes the node's memory
   * @return {@code unaccountedBytes} if it has been above 32 MiB and 2 % of the node for ten
   *     seconds, otherwise 0
   */
  public long lastingBytes(long nowNanos, long unaccountedBytes, long boundaryBytes) {
    if (unaccountedBytes <= Math.max(TOLERATED_BYTES, boundaryBytes / TOLERATED_SHARE_OF_NODE)) {
      sinceNanos = OptionalLong.empty();
      return 0;
    }
    if (sinceNanos.isEmpty()) {
      sinceNanos = OptionalLong.of(nowNanos);
    }
    return nowNanos - sinceNanos.getAsLong() >= LASTING.toNanos() ? unaccountedBytes : 0;
  }
}
