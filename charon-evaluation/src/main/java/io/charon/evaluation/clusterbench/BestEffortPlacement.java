/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The component that chooses the nodes of best-effort containers. */
public enum BestEffortPlacement {
  /** The ResourceManager. */
  CENTRALIZED,
  /** The scheduler of the node on which the ApplicationMaster runs, as in Mercury. */
  DISTRIBUTED;

  /** Returns the name of the placement in options and output. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the placement with a name. */
  public static Optional<BestEffortPlacement> of(String label) {
    return Arrays.stream(values()).filter(one -> one.label().equals(label)).findFirst();
  }
}
