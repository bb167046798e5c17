/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Kind of the best-effort jobs. */
public enum BestEffortKind {
  /** MapReduce jobs: each task starts a JVM, so that processors are scarcer than memory. */
  MAPREDUCE,
  /** Applications of programs that hold their memory until they end: memory is scarce. */
  TASKS;

  /** Returns the name in options and output. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the kind with a name. */
  public static Optional<BestEffortKind> of(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label().equals(label)).findFirst();
  }
}
