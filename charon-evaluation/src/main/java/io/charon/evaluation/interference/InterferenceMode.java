/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.util.Arrays;
import java.util.Optional;

/** The ways in which production is protected while best-effort runs. */
public enum InterferenceMode {
  /** Production alone. */
  ALONE("alone", false, false),
  /** Production alone, measured again; the difference between the two is noise. */
  ALONE_AGAIN("alone-again", false, false),
  /** Best-effort without any protection of production. */
  NONE("none", false, false),
  /** A static memory limit for best-effort: what production's peak leaves of the node, less 2 %. */
  STATIC_LIMIT("static-limit", false, false),
  /** Best-effort on a separate node of the same size: memory is not shared. */
  NO_CONTEST("no-contest", false, false),
  /** The kernel UA killer with its defaults. */
  KILLER("killer", true, false),
  /** The moving memory limit, with best-effort in the disk's idle I/O class. */
  LIMIT("limit", false, true),
  /** The moving limit and the killer: Charon's default. */
  LIMIT_AND_KILLER("limit+killer", true, true);

  private final String label;
  private final boolean killer;
  private final boolean limit;

  InterferenceMode(String label, boolean killer, boolean limit) {
    this.label = label;
    this.killer = killer;
    this.limit = limit;
  }

  /** Returns the name that users see. */
  public String label() {
    return label;
  }

  /** Returns the mode with a name; empty if there is none. */
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
