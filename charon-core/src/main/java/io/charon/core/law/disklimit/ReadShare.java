/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

import java.util.OptionalLong;

/**
 * The share of a disk's speed at which best-effort may read while production refills its page
 * cache.
 *
 * @param percent of the disk's speed, 1 to 100
 */
public record ReadShare(int percent) {
  /**
   * Minimum rate. With less, a container would hardly progress and would exit late after a kill: a
   * process that waits for a direct read of 8 MB exits half a second after SIGKILL at this rate,
   * and after 6.6 s at 1 MiB/s (measured). Our choice.
   */
  static final long MIN_BYTES_PER_SECOND = 4 << 20;

  private static final int ALL = 100;

  /** Checks the range. */
  public ReadShare {
    if (percent < 1 || percent > ALL) {
      throw new IllegalArgumentException(
          "share of the disk's speed must be within 1 and 100 %, was " + percent);
    }
  }

  /** Returns the share as a ratio. */
  public double ratio() {
    return (double) percent / ALL;
  }

  /** Returns bytes per second, at least 4 MiB; empty (no limit) if the disk's speed is unknown. */
  public OptionalLong of(Disk disk) {
    return disk.speedBytesPerSecond().isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(
            Math.max(MIN_BYTES_PER_SECOND, disk.speedBytesPerSecond().getAsLong() / ALL * percent));
  }
}
