/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import java.time.Duration;

/** How old a reading may become before it no longer tells of now. */
public final class ReadingAge {
  private static final int PERIODS = 3;

  /** Also for short periods, because a busy machine may stall (our choice). */
  private static final Duration MIN = Duration.ofSeconds(3);

  private ReadingAge() {}

  /**
   * Returns the maximum age of a reading.
   *
   * @param period the time between two readings
   * @return 3 periods, at least 3 s
   */
  public static Duration max(Duration period) {
    Duration periods = period.multipliedBy(PERIODS);
    return periods.compareTo(MIN) < 0 ? MIN : periods;
  }
}
