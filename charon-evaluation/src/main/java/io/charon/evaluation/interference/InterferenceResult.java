/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The result of a run.
 *
 * @param options options of the run
 * @param episodes measured episodes in their planned order
 * @param processors number of processors of this machine
 * @param kernel release of its kernel
 * @param seconds duration of this call
 */
public record InterferenceResult(
    InterferenceOptions options,
    List<Episode> episodes,
    int processors,
    String kernel,
    double seconds) {
  /** Copies the list. */
  public InterferenceResult {
    episodes = List.copyOf(episodes);
  }

  /** Returns the episodes of one scenario. */
  private List<Episode> of(
      Production production, Optional<BestEffort> bestEffort, boolean cold, InterferenceMode mode) {
    Set<String> keys = new LinkedHashSet<>();
    for (int number = 0; number < options.episodes(); number++) {
      keys.add(new PlannedEpisode(production, bestEffort, cold, mode, number).key());
    }
    return episodes.stream().filter(episode -> keys.contains(episode.key())).toList();
  }

  private List<Episode> alone(Production production, boolean cold, InterferenceMode mode) {
    return of(production, Optional.empty(), cold, mode);
  }

  private EpisodeComparison comparison(Pair pair) {
    return new EpisodeComparison(
        alone(pair.production(), pair.cold(), InterferenceMode.ALONE),
        alone(pair.production(), pair.cold(), InterferenceMode.ALONE_AGAIN),
        alone(pair.production(), false, InterferenceMode.ALONE),
        episodes(pair, InterferenceMode.NONE),
        episodes(pair, InterferenceMode.NO_CONTEST),
        episodes(
            new Pair(pair.production(), pair.bestEffort(), false), InterferenceMode.NO_CONTEST));
  }

  private List<Episode> episodes(Pair pair, InterferenceMode mode) {
    return mode.runsBestEffort()
        ? of(pair.production(), Optional.of(pair.bestEffort()), pair.cold(), mode)
        : alone(pair.production(), pair.cold(), mode);
  }

  /** Returns the summary of a pair in a mode; empty if no episode was measured. */
  Optional<ScenarioSummary> summary(Pair pair, InterferenceMode mode) {
    List<Episode> measured = episodes(pair, mode);
    return measured.isEmpty()
        ? Optional.empty()
        : Optional.of(new ScenarioSummary(pair, mode, measured, comparison(pair)));
  }

  /** Returns all summaries, pair by pair; production alone is repeated for each pair. */
  List<ScenarioSummary> summaries() {
    List<ScenarioSummary> all = new ArrayList<>();
    for (Pair pair : options.pairs()) {
      for (InterferenceMode mode : InterferenceMode.values()) {
        summary(pair, mode).ifPresent(all::add);
      }
    }
    return all;
  }
}
