/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.reclaim;

import java.time.Duration;

/**
 * How much is taken of cold memory, and when no more.
 *
 * @param percent of what a container holds, at each look, above 0 to 100 (oomd: 1)
 * @param period between two looks, above 0 (oomd: 6 s)
 * @param waitedPercent of the time that some process of the container waits, from which on nothing
 *     is taken, above 0 to 100 (TMO: 0.1)
 * @param promotedPercent of what it holds that comes back in a minute, above which nothing is taken
 *     for a time, not negative (Google's far memory: 0.2)
 * @param hold for how long, not negative (ours: an hour, for work that reads its input again in
 *     rounds of minutes)
 * @param leastBytes who holds less is left alone, not negative (oomd: 100 MB)
 * @param swapBytesPerSecond what may go to swap, of all containers together, not negative (oomd: 1
 *     MB)
 * @param production what of production may be taken
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

  /** So many looks are judged together: a minute, where one is made every 6 s. */
  static final int LOOKS = 10;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of its range
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
          "%s %% each %s, waited %s %%, promoted %s %%, hold %s, least %d, swap %d"
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

  /** The time over which what comes back is judged. */
  Duration window() {
    return period.multipliedBy(LOOKS);
  }
}
