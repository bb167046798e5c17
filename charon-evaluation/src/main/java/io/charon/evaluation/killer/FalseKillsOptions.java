/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.time.Duration;

/**
 * What {@code bench false-kills} is asked to do.
 *
 * @param rounds how many, at least 1
 * @param seed of the first round; the next round has the next number
 * @param tolerance cgth_time, at least 200 ms
 * @param episode how long each guilty container of a round is watched, longer than the tolerance
 *     and {@link RoundVerdict#GRACE}: filling memory takes its time, too
 * @param fileRefaults which refaults of file pages count: {@code any}, {@code recent}, {@code
 *     workingset} or {@code fitting}
 */
public record FalseKillsOptions(
    int rounds, long seed, Duration tolerance, Duration episode, String fileRefaults) {
  /** Beyond the tolerance a spell may last so long, and memory takes about as long to fill. */
  public static final Duration MIN_AFTER_TOLERANCE = RoundVerdict.GRACE.plusSeconds(1);

  /** What is watched unless said otherwise, beyond the tolerance (ours). */
  public static final Duration AFTER_TOLERANCE = RoundVerdict.GRACE.plusSeconds(3);
}
