/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.machine.MeasurementStore;
import io.charon.evaluation.machine.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The measured episodes, including those of earlier calls if they are kept in a file. */
final class EpisodeStore {
  private final MeasurementStore<Episode> episodes;

  private EpisodeStore(MeasurementStore<Episode> episodes) {
    this.episodes = episodes;
  }

  /**
   * Reads the episodes of earlier calls.
   *
   * @param file file of the episodes; empty: episodes are not kept
   * @param seconds length of an episode; episodes of another length cannot be compared
   * @param machine nor can episodes on another machine
   * @throws IOException if the file holds anything else; the message says which line, and the cure
   */
  static EpisodeStore open(Optional<Path> file, double seconds, Setting machine)
      throws IOException {
    return new EpisodeStore(
        MeasurementStore.open(
            file,
            new MeasurementStore.Kind<>(
                Episode.class,
                "an episode",
                Episode::key,
                episode -> incomparable(episode, seconds, machine))));
  }

  private static Optional<String> incomparable(Episode episode, double seconds, Setting machine) {
    return episode.seconds() == seconds
        ? machine.incomparable("an episode", episode.setting())
        : Optional.of(
            String.format(
                Locale.ROOT,
                "an episode of %.0f s, not of %.0f: name another file, or --episode-seconds %.0f",
                episode.seconds(),
                seconds,
                episode.seconds()));
  }

  /** Returns whether an episode was measured. */
  boolean has(PlannedEpisode planned) {
    return of(planned).isPresent();
  }

  /** Returns a measured episode; empty if it was not measured. */
  Optional<Episode> of(PlannedEpisode planned) {
    return episodes.of(planned.key());
  }

  /** Adds an episode, and appends it to the file. */
  void add(Episode episode) throws IOException {
    episodes.add(episode);
  }
}
