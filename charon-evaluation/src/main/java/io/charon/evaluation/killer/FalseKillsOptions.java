/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.time.Duration;

/**
 * Options of {@code bench false-kills}.
 *
 * @param rounds number of rounds, at least 1
 * @param seed seed of the first round; each further round uses the next number
 * @param tolerance cgth_time, at least 200 ms
 * @param episode time for which each guilty container of a round is watched, longer than the sum of
 *     the tolerance and {@link RoundVerdict#GRACE}, because filling memory takes time as well
 * @param fileRefaults refaults of file pages that count: {@code any}, {@code recent}, {@code
 *     workingset} or {@code fitting}
 */
public record FalseKillsOptions(
    int rounds, long seed, Duration tolerance, Duration episode, String fileRefaults) {
  /**
   * Shortest episode beyond the tolerance: the grace period of a spell, and time to fill memory.
   */
  public static final Duration MIN_AFTER_TOLERANCE = RoundVerdict.GRACE.plusSeconds(1);

  /** Default length of an episode beyond the tolerance (our choice). */
  public static final Duration AFTER_TOLERANCE = RoundVerdict.GRACE.plusSeconds(3);
}
