/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Locale;

/** The resource that the demo's best-effort jobs are short of. */
public enum WorkloadKind {
  /** Memory: tasks that request more than they use, hold it for long, and compute little. */
  MEMORY,
  /** Processors: a stream of small MapReduce jobs, which mostly start JVMs. */
  CPU;

  /** Returns the name of the workload in options and output. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the workload with a name.
   *
   * @throws IllegalArgumentException if there is none; the message lists the workloads
   */
  public static WorkloadKind of(String label) {
    for (WorkloadKind kind : values()) {
      if (kind.label().equals(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("unknown workload '" + label + "': choose from memory, cpu");
  }
}
