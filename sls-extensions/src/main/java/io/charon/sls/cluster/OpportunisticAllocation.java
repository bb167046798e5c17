/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import java.util.Objects;

/**
 * The choice of nodes for best-effort containers.
 *
 * @param placement the way the nodes are chosen
 * @param fullQueues handling of a container when queues are full
 * @param inputOnRack whether tasks of stage 0 ask for the rack of their input, as MapReduce's maps
 *     do: YARN's opportunistic allocator then takes the rack's first node whose queue is not full,
 *     instead of one of the least loaded nodes
 */
public record OpportunisticAllocation(
    Placement placement, FullQueues fullQueues, boolean inputOnRack) {
  /** YARN's default: the ResourceManager places, on any node, and sends nothing to full queues. */
  public static final OpportunisticAllocation CENTRAL =
      new OpportunisticAllocation(Placement.CENTRAL, FullQueues.AVOID, false);

  /** Checks that nothing is missing. */
  public OpportunisticAllocation {
    Objects.requireNonNull(placement, "placement");
    Objects.requireNonNull(fullQueues, "fullQueues");
  }
}
