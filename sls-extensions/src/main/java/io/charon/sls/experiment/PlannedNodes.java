/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.experiment;

import io.charon.sls.trace.TraceNodeSize;
import java.util.OptionalInt;

/**
 * The nodes of an experiment.
 *
 * @param count number of nodes; if empty, that of the workload
 * @param cores cores of each node; if empty, those of the workload
 * @param memoryGibibytes memory of each node, and the same amount of swap; if empty, that of the
 *     workload
 * @param queueLimit best-effort containers that may wait on a node
 */
public record PlannedNodes(
    OptionalInt count, OptionalInt cores, OptionalInt memoryGibibytes, int queueLimit) {
  private static final long GIBIBYTE = 1L << 30;

  /**
   * Returns the size of a node.
   *
   * @param ofWorkload size that the workload was made for
   */
  public TraceNodeSize size(TraceNodeSize ofWorkload) {
    return new TraceNodeSize(
        memoryGibibytes.isPresent()
            ? memoryGibibytes.getAsInt() * GIBIBYTE
            : ofWorkload.memoryBytes(),
        cores.orElse(ofWorkload.cores()));
  }
}
