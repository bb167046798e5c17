/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

import java.util.OptionalLong;

/**
 * What best-effort may read of a disk while production refills.
 *
 * @param percent of the disk's speed, 1 to 100
 */
public record ReadShare(int percent) {
  /**
   * Below it a container would hardly go on, and would die late: who waits for 8 MB that it reads
   * past the page cache ends half a second after SIGKILL with this, with 1 MiB/s after 6.6
   * (measured; ours).
   */
  static final long MIN_BYTES_PER_SECOND = 4 << 20;

  private static final int ALL = 100;

  /** Checks the range. */
  public ReadShare {
    if (percent < 1 || percent > ALL) {
      throw new IllegalArgumentException("share of the disk's speed: " + percent + " %");
    }
  }

  /** The same as a ratio. */
  public double ratio() {
    return (double) percent / ALL;
  }

  /** Bytes per second, at least 4 MiB; empty for a disk of unknown speed, which is not limited. */
  public OptionalLong of(Disk disk) {
    return disk.speedBytesPerSecond().isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(
            Math.max(MIN_BYTES_PER_SECOND, disk.speedBytesPerSecond().getAsLong() / ALL * percent));
  }
}
