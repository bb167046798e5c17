/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.util.OptionalDouble;

/**
 * The measurements of one episode.
 *
 * @param key key of the {@link PlannedEpisode}
 * @param setting text of the setting in which it was measured; empty if an earlier version kept it
 * @param seconds planned length
 * @param speed speed of production
 * @param latencies latencies of production: of batches of 64 operations, or of transactions
 * @param memory memory that each side held
 * @param work best-effort's work per second
 * @param kills the kills during the episode
 */
record Episode(
    String key,
    String setting,
    double seconds,
    SpeedSeries speed,
    LatencyCounts latencies,
    Memory memory,
    double work,
    Kills kills) {
  /** A file of an earlier version has no setting. */
  Episode {
    setting = setting == null ? "" : setting;
  }

  /**
   * Memory in MB, page cache included.
   *
   * @param limit mean limit of best-effort, or the node's where best-effort has none
   * @param bestEffort mean use of best-effort
   * @param production mean use of production
   * @param productionPeak largest use of production
   * @param reserve memory that the moving limit kept free at the end; 0 without that limit
   */
  record Memory(
      double limit, double bestEffort, double production, double productionPeak, double reserve) {
    /**
     * Returns best-effort's use as a share of the memory that production and the reserve left;
     * empty if they left none.
     */
    OptionalDouble bestEffortOfLeft(double nodeMegabytes) {
      double left = nodeMegabytes - production - reserve;
      return left > 0 ? OptionalDouble.of(bestEffort / left) : OptionalDouble.empty();
    }
  }

  /**
   * The numbers of kills of best-effort, and whether production was killed.
   *
   * @param charon containers killed by the memory limit's rule or by the kernel UA killer
   * @param kernelOom processes killed by Linux's OOM killer
   * @param production whether production was killed
   */
  record Kills(int charon, int kernelOom, boolean production) {}

  boolean productionKilled() {
    return kills.production();
  }
}
