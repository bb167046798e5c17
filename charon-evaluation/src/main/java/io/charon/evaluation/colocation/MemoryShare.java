/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.io.IOException;

/** The mean share of a node's memory that is in use, including page cache, over all samples. */
final class MemoryShare implements Utilization {
  private final ColocatedNode node;
  private double sum;
  private int samples;

  /** Starts to measure. */
  MemoryShare(ColocatedNode node) {
    this.node = node;
  }

  @Override
  public void sample() throws IOException {
    sum += (double) node.memoryBytes() / node.memoryCapacityBytes();
    samples++;
  }

  @Override
  public double share() {
    return samples == 0 ? 0 : sum / samples;
  }
}
