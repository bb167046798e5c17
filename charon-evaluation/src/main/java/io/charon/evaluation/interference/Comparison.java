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
 * What a pair is compared with.
 *
 * @param alone production alone
 * @param aloneAgain the same once more
 * @param warm production alone, which did not start in the episode
 * @param none the pair with nothing between them
 * @param noContest the pair on two nodes
 * @param warmNoContest the same, where production did not start in the episode
 */
record Comparison(
    List<Episode> alone,
    List<Episode> aloneAgain,
    List<Episode> warm,
    List<Episode> none,
    List<Episode> noContest,
    List<Episode> warmNoContest) {

  /** Warm production's speed: beside best-effort that takes no memory, else alone. */
  OptionalDouble fullSpeed() {
    return medianSpeed(!warmNoContest.isEmpty() ? warmNoContest : warm.isEmpty() ? alone : warm);
  }

  /** By how much two measurements of the same differ at most: of median speed, as a share. */
  OptionalDouble aaSpread() {
    return IntStream.range(0, Math.min(alone.size(), aloneAgain.size()))
        .mapToObj(
            number ->
                ratio(aloneAgain.get(number).speed().median(), alone.get(number).speed().median()))
        .flatMapToDouble(OptionalDouble::stream)
        .map(ratio -> Math.abs(ratio - 1))
        .max();
  }

  /** The median of the episodes' medians, operations a second. */
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

  /** The mean of the episodes; empty of none. */
  static OptionalDouble mean(List<Episode> episodes, ToDoubleFunction<Episode> value) {
    return episodes.stream().mapToDouble(value).average();
  }

  /** One by the other; empty if there is nothing to divide, or by. */
  static OptionalDouble ratio(OptionalDouble value, OptionalDouble base) {
    return value.isPresent() && base.isPresent() && base.getAsDouble() > 0
        ? OptionalDouble.of(value.getAsDouble() / base.getAsDouble())
        : OptionalDouble.empty();
  }
}
