/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What decides on best-effort containers during one run. */
public enum ClusterMode {
  /** Production alone: no best-effort job is submitted. */
  ALONE("off"),
  /**
   * Stock YARN (the paper's Mercury): best-effort containers start inside the memory that is not
   * reserved.
   */
  STOCK_YARN("off"),
  /** A threshold on available memory, and a killer in user space (the paper's Kuber). */
  THRESHOLD("kuber"),
  /** Charon, with the kernel UA killer where it can be loaded. */
  CHARON("enforce"),
  /** {@link #ALONE} once more: by what both differ is noise. */
  ALONE_AGAIN("off");

  private final String nodeManagerMode;

  ClusterMode(String nodeManagerMode) {
    this.nodeManagerMode = nodeManagerMode;
  }

  /** Value of {@code yarn.nodemanager.charon.mode}. */
  String nodeManagerMode() {
    return nodeManagerMode;
  }

  boolean runsBestEffort() {
    return this != ALONE && this != ALONE_AGAIN;
  }

  /** The name that users type and read. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The mode with a name that can be chosen; both runs alone always run. */
  public static Optional<ClusterMode> of(String label) {
    return Arrays.stream(values())
        .filter(mode -> mode.runsBestEffort() && mode.label().equals(label))
        .findFirst();
  }
}
