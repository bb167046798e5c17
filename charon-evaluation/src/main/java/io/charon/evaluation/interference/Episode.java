/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.util.OptionalDouble;

/**
 * What one episode measured.
 *
 * @param key of {@link PlannedEpisode}
 * @param seconds how long it was to be
 * @param speed production's
 * @param latencies of production's batches of 64 operations
 * @param memory who held what
 * @param work what best-effort did a second
 * @param kills of best-effort
 * @param productionKilled whether production ended before the episode did
 */
record Episode(
    String key,
    double seconds,
    SpeedSeries speed,
    LatencyCounts latencies,
    Memory memory,
    double work,
    Kills kills,
    boolean productionKilled) {

  /**
   * Memory, MB, page cache included.
   *
   * @param limit best-effort's, mean; the node's where it has none
   * @param bestEffort mean
   * @param production mean
   * @param productionPeak at any time
   * @param reserve what the moving limit kept free at the end; 0 where there is none
   */
  record Memory(
      double limit, double bestEffort, double production, double productionPeak, double reserve) {
    /** What best-effort held of what production and the reserve left it; empty if that is none. */
    OptionalDouble bestEffortOfLeft(double nodeMegabytes) {
      double left = nodeMegabytes - production - reserve;
      return left > 0 ? OptionalDouble.of(bestEffort / left) : OptionalDouble.empty();
    }
  }

  /**
   * Who ended how many.
   *
   * @param charon containers, by the memory limit's rule and by the kernel UA killer
   * @param kernelOom processes, by Linux's OOM killer
   */
  record Kills(int charon, int kernelOom) {}
}
