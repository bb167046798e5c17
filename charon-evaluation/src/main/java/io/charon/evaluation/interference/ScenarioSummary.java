/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import static io.charon.evaluation.interference.Comparison.latency;
import static io.charon.evaluation.interference.Comparison.mean;
import static io.charon.evaluation.interference.Comparison.medianSpeed;
import static io.charon.evaluation.interference.Comparison.ratio;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A pair in a mode.
 *
 * @param episodes at least one
 * @param comparison what it is compared with
 */
record ScenarioSummary(
    Pair pair, InterferenceMode mode, List<Episode> episodes, Comparison comparison) {
  /**
   * Of the full speed: then it is reached. Less would not change the time, which ends with a jump;
   * more is within what two episodes of the same differ by.
   */
  private static final double FULL = 0.8;

  private static final double P99 = 99;
  private static final double NANOS_PER_MILLI = 1e6;

  ScenarioSummary {
    episodes = List.copyOf(episodes);
  }

  /**
   * Seconds in which production was slower than half of the reference, an episode: the share of the
   * time that counts, of an episode's length.
   */
  OptionalDouble secondsBelowHalf() {
    return secondsBelowHalf(episodes);
  }

  /** The same of production alone, measured again. */
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
   * From production's cold start to four fifths of its full speed: the median of the episodes, with
   * an episode's length where it is not reached; empty for a pair that is warm.
   */
  OptionalDouble secondsToFullSpeed() {
    return secondsToFullSpeed(episodes);
  }

  /** The same of production alone on the empty node. */
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

  /** Whether an episode ended before production had its full speed. */
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

  /** Empty for a cold pair: most of what the median then says is how long the start takes. */
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

  /** Best-effort's work a second, as a share of what it did with nothing between them. */
  OptionalDouble workVsNone() {
    return mode.runsBestEffort()
        ? ratio(mean(episodes, Episode::work), mean(comparison.none(), Episode::work))
        : OptionalDouble.empty();
  }

  /** What best-effort may hold, MB; empty where nothing limits it. */
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

  /** In how many episodes production was killed. */
  int productionKilled() {
    return (int) episodes.stream().filter(Episode::productionKilled).count();
  }
}
