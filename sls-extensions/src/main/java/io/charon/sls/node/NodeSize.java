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
 * @param cores processor cores, at least 1
 * @param swapBytes swap space, 0 or more; when it is full too, Linux's own OOM killer acts
 */
public record NodeSize(long memoryBytes, int cores, long swapBytes) {
  /** Checks the ranges. */
  public NodeSize {
    if (memoryBytes < 1 || cores < 1 || swapBytes < 0) {
      throw new IllegalArgumentException(
          "a node needs memory, cores and no negative swap, got %d, %d, %d"
              .formatted(memoryBytes, cores, swapBytes));
    }
  }
}
