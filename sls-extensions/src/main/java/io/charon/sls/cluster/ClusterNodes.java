/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.sls.node.NodeSize;
import java.util.Objects;

/**
 * The nodes of a simulated cluster, all of the same size.
 *
 * @param count number of nodes, 1 to 60,000
 * @param size size of each node
 * @param sharedProcessors whether all nodes share the processors of one machine; {@code
 *     size.cores()} is then the number of cores of all nodes together
 * @param queueLimit best-effort containers that may wait on a node, at least 1 (Charon paper: 10 in
 *     simulation)
 */
public record ClusterNodes(int count, NodeSize size, boolean sharedProcessors, int queueLimit) {
  /** Checks the ranges. */
  public ClusterNodes {
    Objects.requireNonNull(size, "size");
    if (count < 1 || count > 60_000 || queueLimit < 1) {
      throw new IllegalArgumentException(
          "a cluster needs 1 to 60000 nodes and a queue limit, got %d, %d"
              .formatted(count, queueLimit));
    }
  }

  /** Creates nodes that have their own processors. */
  public ClusterNodes(int count, NodeSize size, int queueLimit) {
    this(count, size, false, queueLimit);
  }

  /** Returns the memory of all nodes, in bytes. */
  public double memoryBytes() {
    return (double) size.memoryBytes() * count;
  }
}
