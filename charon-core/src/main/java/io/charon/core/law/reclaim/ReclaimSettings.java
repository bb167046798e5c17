/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.reclaim;

import java.time.Duration;

/**
 * How much cold memory is reclaimed, and when to stop.
 *
 * @param percent of a container's memory, at each sample, above 0 to 100 (oomd: 1)
 * @param period the time between two samples, above 0 (oomd: 6 s)
 * @param waitedPercent percent of the time that some process of the container waits, from which
 *     nothing is reclaimed, above 0 to 100 (TMO: 0.1)
 * @param promotedPercent percent of its memory that comes back in a minute, above which nothing is
 *     reclaimed for the hold time, not negative (Google's far memory: 0.2)
 * @param hold the hold time, not negative (our choice: an hour, for work that reads its input again
 *     every few minutes)
 * @param leastBytes containers that hold less are skipped, not negative (oomd: 100 MB)
 * @param swapBytesPerSecond the rate at which memory may go to swap, for all containers together,
 *     not negative (oomd: 1 MB)
 * @param production the memory of production that may be reclaimed
 */
public record ReclaimSettings(
    double percent,
    Duration period,
    double waitedPercent,
    double promotedPercent,
    Duration hold,
    long leastBytes,
    long swapBytesPerSecond,
    ReclaimScope production) {
  private static final double MAX_PERCENT = 100;

  /** Number of samples in a window: a minute at the default period of 6 s. */
  static final int SAMPLES = 10;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public ReclaimSettings {
    if (!isShare(percent)
        || !isShare(waitedPercent)
        || !(promotedPercent >= 0)
        || period.isNegative()
        || period.isZero()
        || hold.isNegative()
        || leastBytes < 0
        || swapBytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "a reclaim setting is out of range: %s %% each %s, waited %s %%, promoted %s %%, hold %s, least %d bytes, swap %d bytes/s"
              .formatted(
                  percent,
                  period,
                  waitedPercent,
                  promotedPercent,
                  hold,
                  leastBytes,
                  swapBytesPerSecond));
    }
  }

  private static boolean isShare(double percent) {
    return percent > 0 && percent <= MAX_PERCENT;
  }

  /** Returns the time over which returning memory is measured. */
  Duration window() {
    return period.multipliedBy(SAMPLES);
  }
}
