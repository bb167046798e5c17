/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import static io.charon.evaluation.interference.EpisodeComparison.latency;
import static io.charon.evaluation.interference.EpisodeComparison.mean;
import static io.charon.evaluation.interference.EpisodeComparison.medianSpeed;
import static io.charon.evaluation.interference.EpisodeComparison.ratio;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The summary of a pair in a mode.
 *
 * @param episodes episodes, at least one
 * @param comparison episodes that it is compared with
 */
record ScenarioSummary(
    Pair pair, InterferenceMode mode, List<Episode> episodes, EpisodeComparison comparison) {
  /**
   * Share of the full speed from which on it counts as reached. A lower share would not change the
   * time, because speed jumps at the end of a cold start; a higher one is within the noise.
   */
  private static final double FULL = 0.8;

  private static final double P99 = 99;
  private static final double NANOS_PER_MILLI = 1e6;

  ScenarioSummary {
    episodes = List.copyOf(episodes);
  }

  /**
   * Returns the seconds per episode in which production was slower than half of the reference:
   * their share of the time that counts, multiplied by the length of an episode.
   */
  OptionalDouble secondsBelowHalf() {
    return secondsBelowHalf(episodes);
  }

  /** Returns the same for production alone, measured again. */
  OptionalDouble secondsBelowHalfAloneAgain() {
    return secondsBelowHalf(comparison.aloneAgain());
  }

  private OptionalDouble secondsBelowHalf(List<Episode> of) {
    OptionalDouble reference = comparison.fullSpeed();
    return reference.isEmpty()
        ? OptionalDouble.empty()
        : mean(
            of,
            episode -> episode.speed().shareBelow(reference.getAsDouble() / 2) * episode.seconds());
  }

  /**
   * Returns the seconds from production's cold start to four fifths of its full speed: the median
   * of the episodes, where an episode that does not reach it counts with its length; empty for a
   * warm pair.
   */
  OptionalDouble secondsToFullSpeed() {
    return secondsToFullSpeed(episodes);
  }

  /** Returns the same for production alone on the empty node. */
  OptionalDouble secondsToFullSpeedAlone() {
    return secondsToFullSpeed(comparison.alone());
  }

  private OptionalDouble secondsToFullSpeed(List<Episode> of) {
    OptionalDouble full = comparison.fullSpeed();
    return !pair.cold() || full.isEmpty()
        ? OptionalDouble.empty()
        : Percentiles.median(
            of.stream()
                .map(
                    episode ->
                        episode
                            .speed()
                            .secondsTo(full.getAsDouble() * FULL)
                            .orElse(episode.seconds()))
                .toList());
  }

  /** Returns whether an episode ended before production had its full speed. */
  boolean isFullSpeedMissed() {
    OptionalDouble full = comparison.fullSpeed();
    return pair.cold()
        && full.isPresent()
        && episodes.stream()
            .anyMatch(episode -> episode.speed().secondsTo(full.getAsDouble() * FULL).isEmpty());
  }

  OptionalDouble medianVsAlone() {
    return ratio(medianSpeed(episodes), medianSpeed(comparison.alone()));
  }

  /** Empty for a cold pair, whose median depends mostly on how long the start takes. */
  OptionalDouble medianVsNoContest() {
    return pair.cold()
        ? OptionalDouble.empty()
        : ratio(medianSpeed(episodes), medianSpeed(comparison.noContest()));
  }

  OptionalDouble p99VsAlone() {
    return ratio(latency(episodes, P99), latency(comparison.alone(), P99));
  }

  OptionalDouble p99VsNoContest() {
    return pair.cold()
        ? OptionalDouble.empty()
        : ratio(latency(episodes, P99), latency(comparison.noContest(), P99));
  }

  /**
   * Returns a percentile of the latencies of all episodes together, milliseconds; empty if there
   * are none.
   *
   * @param percent above 0, at most 100
   */
  OptionalDouble latencyMillis(double percent) {
    OptionalDouble nanos = latency(episodes, percent);
    return nanos.isPresent()
        ? OptionalDouble.of(nanos.getAsDouble() / NANOS_PER_MILLI)
        : OptionalDouble.empty();
  }

  /** Returns best-effort's work per second relative to that without protection. */
  OptionalDouble workVsNone() {
    return mode.runsBestEffort()
        ? ratio(mean(episodes, Episode::work), mean(comparison.none(), Episode::work))
        : OptionalDouble.empty();
  }

  /** Returns the mean limit of best-effort, MB; empty if it has none. */
  OptionalDouble limitMegabytes() {
    return mode.hasLimit() || mode == InterferenceMode.STATIC_LIMIT
        ? mean(episodes, episode -> episode.memory().limit())
        : OptionalDouble.empty();
  }

  OptionalDouble bestEffortMegabytes() {
    return mode.runsBestEffort()
        ? mean(episodes, episode -> episode.memory().bestEffort())
        : OptionalDouble.empty();
  }

  OptionalDouble productionMegabytes() {
    return mean(episodes, episode -> episode.memory().production());
  }

  int charonKills() {
    return episodes.stream().mapToInt(episode -> episode.kills().charon()).sum();
  }

  int kernelOomKills() {
    return episodes.stream().mapToInt(episode -> episode.kills().kernelOom()).sum();
  }

  /** Returns the number of episodes in which production was killed. */
  int productionKilled() {
    return (int) episodes.stream().filter(Episode::productionKilled).count();
  }
}
