/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.util.ArrayList;
import java.util.List;

/**
 * The processors of one node, or of several that are one machine's: what one of these leaves idle
 * the others use.
 */
public final class Processors {
  private final double cores;
  private final List<List<NodeContainer>> nodes = new ArrayList<>();

  /**
   * Processors that nobody uses yet.
   *
   * @param cores of all nodes together; positive
   */
  public Processors(double cores) {
    this.cores = cores;
  }

  /** A node runs these from now on: its own, changing list. */
  void usedBy(List<NodeContainer> running) {
    nodes.add(running);
  }

  /** Whether what one node gets depends on others. */
  boolean areShared() {
    return nodes.size() > 1;
  }

  /** How much of what it could use each of a node's containers gets: 0 to 1, in their order. */
  double[] shares(List<NodeContainer> running) {
    if (!areShared()) {
      return ProcessorShares.of(running, cores);
    }
    List<NodeContainer> all = new ArrayList<>();
    int first = 0;
    for (List<NodeContainer> node : nodes) {
      if (node == running) {
        first = all.size();
      }
      all.addAll(node);
    }
    double[] shares = new double[running.size()];
    System.arraycopy(ProcessorShares.of(all, cores), first, shares, 0, shares.length);
    return shares;
  }
}
