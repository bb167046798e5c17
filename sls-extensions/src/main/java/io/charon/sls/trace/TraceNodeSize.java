/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

/**
 * The size of a simulated node. The largest machine of a normalized trace becomes one node.
 *
 * @param memoryBytes memory, at least 1
 * @param cores cores, at least 1
 */
public record TraceNodeSize(long memoryBytes, int cores) {
  private static final int PAPER_CORES = 32;
  private static final long PAPER_MEMORY = 128L << 30;

  /** Checks the ranges. */
  public TraceNodeSize {
    if (memoryBytes < 1 || cores < 1) {
      throw new IllegalArgumentException("a node needs memory and a core");
    }
  }

  /** Returns the node size of the Charon paper's simulation (section 5.5): 32 cores, 128 GB. */
  public static TraceNodeSize ofThePaper() {
    return new TraceNodeSize(PAPER_MEMORY, PAPER_CORES);
  }
}
