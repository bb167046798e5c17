/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.util.Arrays;
import java.util.Optional;

/** What protects production while best-effort runs, if any does. */
public enum InterferenceMode {
  /** Production alone. */
  ALONE("alone", false, false),
  /** The same once more: what both differ by is noise. */
  ALONE_AGAIN("alone-again", false, false),
  /** Best-effort runs, and nothing protects production. */
  NONE("none", false, false),
  /** Best-effort has a memory limit that does not move: what production's peak leaves, less 2 %. */
  STATIC_LIMIT("static-limit", false, false),
  /** Best-effort runs on a node of its own, beside production's: memory is not shared. */
  NO_CONTEST("no-contest", false, false),
  /** The kernel UA killer with its defaults. */
  KILLER("killer", true, false),
  /** The moving memory limit, with best-effort in the disk's idle class. */
  LIMIT("limit", false, true),
  /** Both: what Charon does by default. */
  LIMIT_AND_KILLER("limit+killer", true, true);

  private final String label;
  private final boolean killer;
  private final boolean limit;

  InterferenceMode(String label, boolean killer, boolean limit) {
    this.label = label;
    this.killer = killer;
    this.limit = limit;
  }

  /** Its name for users. */
  public String label() {
    return label;
  }

  /** The mode of a name; empty if there is none. */
  public static Optional<InterferenceMode> of(String label) {
    return Arrays.stream(values()).filter(mode -> mode.label.equals(label)).findFirst();
  }

  boolean runsBestEffort() {
    return this != ALONE && this != ALONE_AGAIN;
  }

  boolean hasKiller() {
    return killer;
  }

  boolean hasLimit() {
    return limit;
  }
}
