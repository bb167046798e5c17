/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What decides on best-effort containers during one run of the workload. */
public enum DemoMode {
  /** Production alone: no best-effort job is submitted. */
  ALONE("off"),
  /** Stock YARN: best-effort containers start inside the memory that is not reserved. */
  STOCK_YARN("off"),
  /** Charon: best-effort containers start inside the memory that is not used. */
  CHARON("enforce"),
  /** A threshold on free memory, and a killer in user space (the paper's baseline, Kuber). */
  THRESHOLD("kuber"),
  /**
   * Charon, and regulators that limit memory and CPU time of best-effort by what production does.
   */
  REGULATED("enforce");

  /** What the paper calls two of them. */
  private static final Map<String, DemoMode> NAMES_OF_THE_PAPER =
      Map.of("mercury", STOCK_YARN, "kuber", THRESHOLD);

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
    return this == CHARON || this == THRESHOLD || this == REGULATED;
  }

  boolean runsBestEffort() {
    return this != ALONE;
  }

  /** The name that users type and read. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The mode with a name.
   *
   * @throws IllegalArgumentException if there is none; the message lists them
   */
  public static DemoMode of(String label) {
    String name = label.trim();
    for (DemoMode mode : values()) {
      if (mode.label().equals(name)) {
        return mode;
      }
    }
    if (NAMES_OF_THE_PAPER.containsKey(name)) {
      return NAMES_OF_THE_PAPER.get(name);
    }
    throw new IllegalArgumentException(
        "unknown mode '"
            + label
            + "': choose from "
            + Arrays.stream(values()).map(DemoMode::label).collect(Collectors.joining(", ")));
  }
}
