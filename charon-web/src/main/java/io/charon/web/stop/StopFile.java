/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.stop;

import io.charon.core.stop.StopKeys;
import io.charon.core.stop.StopOrder;
import io.charon.web.trust.TrustedProperties;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The order given by a file of this machine. The file is polled, not watched by inotify, because
 * its directory may be created later or be replaced, and a check costs one stat. A file that cannot
 * be read or trusted changes nothing: the last order holds, so that best-effort cannot be resumed
 * by breaking the file. Thread-safe.
 */
public final class StopFile {
  /**
   * The state of the file.
   *
   * @param order the last order that could be trusted
   * @param readMillis modification time of the file at the last check, milliseconds since 1970; 0
   *     if there is none
   * @param problem why the current content of the file is not in use; empty if it is
   * @param known whether the file, or its absence, could be read at least once. If not, nobody
   *     knows what an operator ordered before this program started, and {@code order} says nothing
   */
  public record State(StopOrder order, long readMillis, Optional<String> problem, boolean known) {
    /** The state of a file before its first check. */
    public static State unknown() {
      return new State(StopOrder.never(), 0, Optional.empty(), false);
    }
  }

  private final Optional<TrustedProperties> file;
  private final StopKeys keys;
  private final Map<String, String> configured;
  private TrustedProperties.Version read = TrustedProperties.Version.none();
  private State state;

  /**
   * Creates the object; nothing is read yet.
   *
   * @param file the file; empty if there is none
   * @param keys the order's keys
   * @param configured the daemon's own configuration, which the file overrides
   * @throws IllegalArgumentException if that contains an invalid order
   */
  public StopFile(Optional<TrustedProperties> file, StopKeys keys, Map<String, String> configured) {
    this.file = file;
    this.keys = keys;
    this.configured = Map.copyOf(configured);
    this.state =
        new State(StopOrder.read(this.configured, keys), 0, Optional.empty(), file.isEmpty());
  }

  /** Checks the file, and reads it if it has been written since, or could not be used before. */
  public synchronized State check() {
    if (file.isEmpty()) {
      return state;
    }
    long seenMillis = state.readMillis();
    try {
      TrustedProperties.Version version = file.get().version();
      if (!version.equals(read) || state.problem().isPresent() || !state.known()) {
        seenMillis = version.modifiedMillis();
        Map<String, String> values = new HashMap<>(configured);
        values.putAll(file.get().read());
        state = new State(StopOrder.read(values, keys), seenMillis, Optional.empty(), true);
        read = version;
      }
    } catch (IOException | IllegalArgumentException e) {
      state =
          new State(
              state.order(),
              seenMillis,
              Optional.of(String.valueOf(e.getMessage())),
              state.known());
    }
    return state;
  }
}
