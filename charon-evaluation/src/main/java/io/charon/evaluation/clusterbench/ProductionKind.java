/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of production. */
public enum ProductionKind {
  /**
   * A MapReduce job of many tasks, one after the other on each node; each task fills its memory
   * anew.
   */
  BATCH,
  /** A database that depends on the page cache, in the role of the paper's Cassandra. */
  SERVICE,
  /** One task on each node, whose memory grows and shrinks in steps. */
  STEPS;

  /** Returns the name of the kind in options and output. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the kind with a name. */
  public static Optional<ProductionKind> of(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label().equals(label)).findFirst();
  }
}
