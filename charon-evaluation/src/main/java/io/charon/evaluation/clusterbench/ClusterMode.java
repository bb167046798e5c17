/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The policy that schedules best-effort containers during one run. */
public enum ClusterMode {
  /** Production alone: no best-effort job is submitted. */
  ALONE("off"),
  /** Stock YARN (the paper's Mercury): best-effort containers start within unreserved memory. */
  STOCK_YARN("off"),
  /** A threshold on available memory with a killer in user space (the paper's Kuber). */
  THRESHOLD("threshold"),
  /** Charon, with the kernel UA killer if it can be loaded. */
  CHARON("enforce"),
  /** {@link #ALONE} a second time: the difference between both is noise. */
  ALONE_AGAIN("off");

  private final String nodeManagerMode;

  ClusterMode(String nodeManagerMode) {
    this.nodeManagerMode = nodeManagerMode;
  }

  /** Returns the value of {@code yarn.nodemanager.charon.mode}. */
  String nodeManagerMode() {
    return nodeManagerMode;
  }

  boolean runsBestEffort() {
    return this != ALONE && this != ALONE_AGAIN;
  }

  /** Returns the name of the mode in options and output. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the selectable mode with a name; both runs of production alone always take place and
   * cannot be selected.
   */
  public static Optional<ClusterMode> of(String label) {
    return Arrays.stream(values())
        .filter(mode -> mode.runsBestEffort() && mode.label().equals(label))
        .findFirst();
  }
}
