/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Tells files in memory that ended containers have left, such as those in {@code /dev/shm}, from
 * those that are removed while a container ends. The thresholds are our choice.
 */
public final class Leftover {
  /** How long the files must have belonged to no running container. */
  static final Duration LASTING = Duration.ofSeconds(10);

  /** Less is not worth a message. */
  static final long TOLERATED_BYTES = 32L << 20;

  private static final int TOLERATED_SHARE_OF_NODE = 50;

  private OptionalLong sinceNanos = OptionalLong.empty();

  /**
   * Returns what is left over; to be called at every sample.
   *
   * @param nowNanos the current monotonic time
   * @param leftoverBytes best-effort's files in memory that none of its running containers has
   * @param boundaryBytes the node's memory
   * @return {@code leftoverBytes} if they have been above 32 MiB and 2 % of the node for ten
   *     seconds, otherwise 0
   */
  public long lastingBytes(long nowNanos, long leftoverBytes, long boundaryBytes) {
    if (leftoverBytes <= Math.max(TOLERATED_BYTES, boundaryBytes / TOLERATED_SHARE_OF_NODE)) {
      sinceNanos = OptionalLong.empty();
      return 0;
    }
    if (sinceNanos.isEmpty()) {
      sinceNanos = OptionalLong.of(nowNanos);
    }
    return nowNanos - sinceNanos.getAsLong() >= LASTING.toNanos() ? leftoverBytes : 0;
  }
}
