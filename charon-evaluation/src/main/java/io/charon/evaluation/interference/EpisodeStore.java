/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The measured episodes, including those of earlier calls if they are kept in a file. */
final class EpisodeStore {
  private final Optional<Path> file;
  private final double seconds;
  private final ObjectMapper mapper = new ObjectMapper();
  private final Map<String, Episode> episodes = new LinkedHashMap<>();

  private EpisodeStore(Optional<Path> file, double seconds) {
    this.file = file;
    this.seconds = seconds;
  }

  /**
   * Reads the episodes of earlier calls.
   *
   * @param file file with one episode per line as JSON, created if it is missing; empty: episodes
   *     are not kept
   * @param seconds length of an episode; episodes of another length cannot be compared
   * @throws IOException if the file holds anything else; the message says which line, and the cure
   */
  static EpisodeStore open(Optional<Path> file, double seconds) throws IOException {
    EpisodeStore store = new EpisodeStore(file, seconds);
    if (file.isPresent() && Files.exists(file.get())) {
      store.read(Files.readAllLines(file.get(), StandardCharsets.UTF_8));
    }
    return store;
  }

  private void read(List<String> lines) throws IOException {
    for (int i = 0; i < lines.size(); i++) {
      try {
        Episode episode = mapper.readValue(lines.get(i), Episode.class);
        if (episode.seconds() != seconds) {
          throw new IOException(
              "%s: line %d is an episode of %.0f s, not of %.0f: name another file, or --episode-seconds %.0f"
                  .formatted(
                      file.orElseThrow(), i + 1, episode.seconds(), seconds, episode.seconds()));
        }
        episodes.put(episode.key(), episode);
      } catch (JsonProcessingException e) {
        // The last line may be incomplete because the previous call was ended while it wrote it.
        if (i < lines.size() - 1) {
          throw new IOException(
              "%s: line %d is not an episode: name another file"
                  .formatted(file.orElseThrow(), i + 1),
              e);
        }
        Files.write(file.orElseThrow(), lines.subList(0, i));
      }
    }
  }

  /** Returns whether an episode was measured. */
  boolean has(PlannedEpisode planned) {
    return episodes.containsKey(planned.key());
  }

  /** Returns a measured episode; empty if it was not measured. */
  Optional<Episode> of(PlannedEpisode planned) {
    return Optional.ofNullable(episodes.get(planned.key()));
  }

  /** Adds an episode, and appends it to the file. */
  void add(Episode episode) throws IOException {
    episodes.put(episode.key(), episode);
    if (file.isPresent()) {
      Path parent = file.get().toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.writeString(
          file.get(),
          mapper.writeValueAsString(episode) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }
}
