/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The episodes that a pair in a mode is compared with.
 *
 * @param alone production alone
 * @param aloneAgain production alone, measured again
 * @param warm production alone and warm
 * @param none the pair without protection
 * @param noContest the pair on two nodes
 * @param warmNoContest the warm variant of the pair on two nodes
 */
record EpisodeComparison(
    List<Episode> alone,
    List<Episode> aloneAgain,
    List<Episode> warm,
    List<Episode> none,
    List<Episode> noContest,
    List<Episode> warmNoContest) {

  /**
   * Returns the speed of warm production beside best-effort that takes none of its memory, or alone
   * if that was not measured; operations per second.
   */
  OptionalDouble fullSpeed() {
    return medianSpeed(!warmNoContest.isEmpty() ? warmNoContest : warm.isEmpty() ? alone : warm);
  }

  /**
   * Returns the largest difference of the median speed between two measurements of production alone
   * in the same repetition, as a share.
   */
  OptionalDouble aaSpread() {
    return IntStream.range(0, Math.min(alone.size(), aloneAgain.size()))
        .mapToObj(
            number ->
                ratio(aloneAgain.get(number).speed().median(), alone.get(number).speed().median()))
        .flatMapToDouble(OptionalDouble::stream)
        .map(ratio -> Math.abs(ratio - 1))
        .max();
  }

  /** Returns the median of the episodes' median speeds, operations per second. */
  static OptionalDouble medianSpeed(List<Episode> episodes) {
    return Percentiles.median(
        episodes.stream().flatMap(episode -> episode.speed().median().stream().boxed()).toList());
  }

  /**
   * Returns a percentile of the latencies of all episodes together, nanoseconds; empty if there are
   * none.
   *
   * @param percent above 0, at most 100
   */
  static OptionalDouble latency(List<Episode> episodes, double percent) {
    return episodes.stream()
        .map(Episode::latencies)
        .reduce(LatencyCounts.none(), LatencyCounts::and)
        .percentile(percent);
  }

  /** Returns the mean over the episodes; empty if there are none. */
  static OptionalDouble mean(List<Episode> episodes, ToDoubleFunction<Episode> value) {
    return episodes.stream().mapToDouble(value).average();
  }

  /** Returns the quotient; empty if a value is missing or the base is not above 0. */
  static OptionalDouble ratio(OptionalDouble value, OptionalDouble base) {
    return value.isPresent() && base.isPresent() && base.getAsDouble() > 0
        ? OptionalDouble.of(value.getAsDouble() / base.getAsDouble())
        : OptionalDouble.empty();
  }
}
