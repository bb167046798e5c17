/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.util.ArrayList;
import java.util.List;

/**
 * The processors of one node, or of several nodes on one machine, where each node may use the
 * processors that the others leave idle.
 */
public final class Processors {
  private final double cores;
  private final List<List<NodeContainer>> nodes = new ArrayList<>();

  /**
   * Creates processors without nodes.
   *
   * @param cores cores of all nodes together; positive
   */
  public Processors(double cores) {
    this.cores = cores;
  }

  /**
   * Adds a node that runs on these processors.
   *
   * @param running the node's own list of running containers, which changes over time
   */
  void usedBy(List<NodeContainer> running) {
    nodes.add(running);
  }

  /** Returns whether several nodes share the processors. */
  boolean areShared() {
    return nodes.size() > 1;
  }

  /**
   * Returns the share of its demand that each container of a node gets: 0 to 1, in their order.
   *
   * @param running the node's list of running containers
   * @param quotaCores the most that the node's best-effort containers may use together, cores;
   *     infinite for no quota. What a quota leaves unused does not go to other nodes
   */
  double[] shares(List<NodeContainer> running, double quotaCores) {
    double[] shares = shares(running);
    ProcessorShares.limit(running, quotaCores, shares);
    return shares;
  }

  private double[] shares(List<NodeContainer> running) {
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
