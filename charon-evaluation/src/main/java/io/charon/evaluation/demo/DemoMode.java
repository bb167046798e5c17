/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Locale;

/** What decides on best-effort containers during one run of the workload. */
public enum DemoMode {
  /** Production alone: no best-effort job is submitted. */
  ALONE("off"),
  /** Stock YARN: best-effort containers start inside the memory that is not reserved. */
  MERCURY("off"),
  /** Charon: best-effort containers start inside the memory that is not used. */
  CHARON("charon"),
  /** The paper's baseline: a threshold on available memory, and a killer in user space. */
  KUBER("kuber"),
  /**
   * Charon, and regulators that limit memory and CPU time of best-effort by what production does.
   */
  REGULATED("charon");

  private final String nodeManagerMode;

  DemoMode(String nodeManagerMode) {
    this.nodeManagerMode = nodeManagerMode;
  }

  /** Value of {@code yarn.nodemanager.charon.mode} in this mode. */
  String nodeManagerMode() {
    return nodeManagerMode;
  }

  /** Whether somebody ends best-effort containers when memory is short. */
  boolean takesMemoryBack() {
    return this == CHARON || this == KUBER || this == REGULATED;
  }

  boolean runsBestEffort() {
    return this != ALONE;
  }

  /** The name that users type and read. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The mode with a name.
   *
   * @throws IllegalArgumentException if there is none; the message lists them
   */
  public static DemoMode of(String label) {
    for (DemoMode mode : values()) {
      if (mode.label().equals(label.trim())) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "unknown mode '" + label + "': choose from alone, mercury, charon, kuber, regulated");
  }
}
