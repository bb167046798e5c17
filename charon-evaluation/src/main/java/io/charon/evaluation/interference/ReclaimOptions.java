/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.core.law.reclaim.ReclaimScope;
import io.charon.core.law.reclaim.ReclaimSettings;
import java.time.Duration;
import java.util.List;

/**
 * The options of {@code bench reclaim}.
 *
 * @param loads kinds of production
 * @param settle time before anything is reclaimed: reading the files has waited for the disk, which
 *     the law takes into account for minutes
 * @param length time that is measured, of which the last third counts
 * @param repetitions repetitions of everything, at least 1
 * @param percent share of production's memory that is reclaimed at a time
 * @param period time between two steps
 * @param waitedPercent share of production's time spent waiting from which on nothing is reclaimed
 */
public record ReclaimOptions(
    List<ReclaimLoad> loads,
    Duration settle,
    Duration length,
    int repetitions,
    double percent,
    Duration period,
    double waitedPercent) {
  private static final double PROMOTED_PERCENT = 0.2;
  private static final long SWAP_BYTES_PER_SECOND = 16L << 20;

  /** Copies the list. */
  public ReclaimOptions {
    loads = List.copyOf(loads);
  }

  /**
   * Returns the settings of the law. Swap on a compressed memory device is faster than on a disk.
   */
  ReclaimSettings law() {
    return new ReclaimSettings(
        percent,
        period,
        waitedPercent,
        PROMOTED_PERCENT,
        Duration.ofHours(1),
        0,
        SWAP_BYTES_PER_SECOND,
        ReclaimScope.ALL);
  }
}
