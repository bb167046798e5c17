/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

/**
 * What a node has.
 *
 * @param memoryBytes memory for containers, at least 1
 * @param cores processor cores; not whole if others share them, positive
 * @param swapBytes swap space, 0 or more; when it is full too, Linux's own OOM killer acts
 */
public record NodeSize(long memoryBytes, double cores, long swapBytes) {
  /** Checks the ranges. */
  public NodeSize {
    if (memoryBytes < 1 || !(cores > 0) || swapBytes < 0) {
      throw new IllegalArgumentException(
          "a node needs memory, cores and no negative swap, got %d, %s, %d"
              .formatted(memoryBytes, cores, swapBytes));
    }
  }

  /** Cores as YARN counts them: whole. */
  public int virtualCores() {
    return (int) Math.ceil(cores);
  }
}
