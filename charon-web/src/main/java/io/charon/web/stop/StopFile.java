/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.stop;

import io.charon.core.stop.StopOrder;
import io.charon.web.trust.TrustedProperties;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The order that a file of this machine gives. It is looked at again and again, not watched by
 * inotify: its directory may come later or be replaced, and a look costs one stat. What cannot be
 * read or believed changes nothing: the last word holds, so that nobody resumes by breaking a file.
 * Thread-safe.
 */
public final class StopFile {
  /**
   * What it says.
   *
   * @param order the last word that could be believed
   * @param readMillis modification time of the file when it was last looked at, milliseconds since
   *     1970; 0 if there is none
   * @param problem why what the file says now is not in use; empty if it is
   */
  public record State(StopOrder order, long readMillis, Optional<String> problem) {}

  private final Optional<TrustedProperties> file;
  private final String prefix;
  private final Map<String, String> configured;
  private TrustedProperties.Version read = TrustedProperties.Version.none();
  private State state;

  /**
   * Nothing is read yet.
   *
   * @param file the file; empty if there is none to be looked at
   * @param prefix of the order's keys, with a dot at its end
   * @param configured the daemon's own configuration, above which the file stands
   * @throws IllegalArgumentException if that gives no order that can be understood
   */
  public StopFile(Optional<TrustedProperties> file, String prefix, Map<String, String> configured) {
    this.file = file;
    this.prefix = prefix;
    this.configured = Map.copyOf(configured);
    this.state = new State(StopOrder.read(this.configured, prefix), 0, Optional.empty());
  }

  /** Looks at the file; reads it if it was written since, or could not be used before. */
  public synchronized State look() {
    if (file.isEmpty()) {
      return state;
    }
    long seenMillis = state.readMillis();
    try {
      TrustedProperties.Version version = file.get().version();
      if (!version.equals(read) || state.problem().isPresent()) {
        seenMillis = version.modifiedMillis();
        Map<String, String> values = new HashMap<>(configured);
        values.putAll(file.get().read());
        state = new State(StopOrder.read(values, prefix), seenMillis, Optional.empty());
        read = version;
      }
    } catch (IOException | IllegalArgumentException e) {
      state = new State(state.order(), seenMillis, Optional.of(String.valueOf(e.getMessage())));
    }
    return state;
  }
}
