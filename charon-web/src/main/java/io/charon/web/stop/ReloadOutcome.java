/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.stop;

import java.util.List;

/**
 * The outcome of an order to read the keys again.
 *
 * @param order the last order
 * @param readMillis modification time of the file with the order, milliseconds since 1970; 0 if
 *     there is none
 * @param changed keys in force with a new value
 * @param needRestart keys whose new value takes effect after a restart of the ResourceManager
 * @param warnings settings without effect
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
   * A key whose value has changed.
   *
   * @param from old value as text; the default if none was set
   */
  public record Change(String key, String from, String to) {
    @Override
    public String toString() {
      return "%s from '%s' to '%s'".formatted(key, from, to);
    }
  }

  /** Copies the lists. */
  public ReloadOutcome {
    changed = List.copyOf(changed);
    needRestart = List.copyOf(needRestart);
    warnings = List.copyOf(warnings);
    problems = List.copyOf(problems);
  }

  /** The outcome if no order has been given yet. */
  public static ReloadOutcome none() {
    return new ReloadOutcome(ReloadOrder.never(), 0, List.of(), List.of(), List.of(), List.of());
  }

  /** The outcome of an order that changed nothing. */
  public static ReloadOutcome refused(ReloadOrder order, List<String> problems) {
    return new ReloadOutcome(order, 0, List.of(), List.of(), List.of(), problems);
  }

  /** The same outcome, read at this modification time of the file. */
  public ReloadOutcome readAt(long millis) {
    return new ReloadOutcome(order, millis, changed, needRestart, warnings, problems);
  }
}
