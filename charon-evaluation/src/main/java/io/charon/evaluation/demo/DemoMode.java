/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The policy that schedules best-effort containers during one run of the workload. */
public enum DemoMode {
  /** Production alone: no best-effort job is submitted. */
  ALONE("off"),
  /** Stock YARN: best-effort containers start within unreserved memory. */
  STOCK_YARN("off"),
  /** Charon: best-effort containers start within unused memory. */
  CHARON("enforce"),
  /** A threshold on free memory with a killer in user space (the paper's baseline, Kuber). */
  THRESHOLD("threshold"),
  /**
   * Charon with regulators that limit memory and CPU time of best-effort by the use of production.
   */
  REGULATED("enforce");

  private final String nodeManagerMode;

  DemoMode(String nodeManagerMode) {
    this.nodeManagerMode = nodeManagerMode;
  }

  /** Returns the value of {@code yarn.nodemanager.charon.mode} in this mode. */
  String nodeManagerMode() {
    return nodeManagerMode;
  }

  /** Returns whether best-effort containers are killed when memory is short. */
  public boolean reclaimsMemory() {
    return this == CHARON || this == THRESHOLD || this == REGULATED;
  }

  boolean runsBestEffort() {
    return this != ALONE;
  }

  /** Returns the name of the mode in options and output. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the mode with a name.
   *
   * @throws IllegalArgumentException if there is none; the message lists the modes
   */
  public static DemoMode of(String label) {
    String name = label.trim();
    for (DemoMode mode : values()) {
      if (mode.label().equals(name)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "unknown mode '"
            + label
            + "': choose from "
            + Arrays.stream(values()).map(DemoMode::label).collect(Collectors.joining(", ")));
  }
}
