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
 * What {@code bench reclaim} is asked to do.
 *
 * @param loads kinds of production
 * @param settle before anything is taken: whoever read a file has waited for the disk, and the law
 *     sees that for minutes
 * @param length of what is measured, of which the last third counts
 * @param repetitions how often everything is measured, at least 1
 * @param percent of what production holds that is taken at a time
 * @param period between two looks
 * @param waitedPercent of the time that production waits, from which on nothing is taken
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

  /** The law, in the bench's time; swap on a compressed memory device is quicker than a disk. */
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
