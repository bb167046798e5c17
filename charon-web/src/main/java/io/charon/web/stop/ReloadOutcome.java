/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.stop;

import java.util.List;

/**
 * What came of an order to read the keys again.
 *
 * @param order the last one
 * @param readMillis modification time of the file that it stands in, milliseconds since 1970; 0 if
 *     there is none
 * @param changed keys that are in force with another value since
 * @param needRestart keys whose new value waits for a restart of the ResourceManager
 * @param warnings what has no effect
 * @param problems why nothing changed; empty if the order was carried out
 */
public record ReloadOutcome(
    ReloadOrder order,
    long readMillis,
    List<Change> changed,
    List<Change> needRestart,
    List<String> warnings,
    List<String> problems) {

  /**
   * A key whose value is another one.
   *
   * @param from as text; the default where nothing was set
   */
  public record Change(String key, String from, String to) {
    @Override
    public String toString() {
      return "%s from '%s' to '%s'".formatted(key, from, to);
    }
  }

  /** Keeps copies. */
  public ReloadOutcome {
    changed = List.copyOf(changed);
    needRestart = List.copyOf(needRestart);
    warnings = List.copyOf(warnings);
    problems = List.copyOf(problems);
  }

  /** Nobody has given an order yet. */
  public static ReloadOutcome none() {
    return new ReloadOutcome(ReloadOrder.never(), 0, List.of(), List.of(), List.of(), List.of());
  }

  /** Nothing changed. */
  public static ReloadOutcome refused(ReloadOrder order, List<String> problems) {
    return new ReloadOutcome(order, 0, List.of(), List.of(), List.of(), problems);
  }

  /** The same, as it was read at this modification time of the file. */
  public ReloadOutcome readAt(long millis) {
    return new ReloadOutcome(order, millis, changed, needRestart, warnings, problems);
  }
}
