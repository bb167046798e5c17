/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.util.List;

/** The state of a node that killers and launch policies see. */
public interface NodeState {
  /** Returns the size of the node. */
  NodeSize size();

  /**
   * Returns Linux's {@code MemAvailable}, in bytes: free memory and all page cache, whether in use
   * or not, except the smaller of half of the page cache and the low watermark. (The Charon paper,
   * section 2.3, says half of the page cache; that holds for nodes with very little page cache.)
   */
  long availableBytes();

  /** Returns whether memory in use does not fit, so that the kernel reclaims. */
  boolean isUnderPressure();

  /** Returns the pages that do not fit into the swap space either, in bytes; 0 if all fit. */
  long beyondSwapBytes();

  /**
   * Returns the running containers in the order of their starts, including killed ones that still
   * hold memory.
   */
  List<NodeContainer> containers();

  /** Returns the sum of the requests of the running guaranteed containers, in bytes. */
  long guaranteedRequestedBytes();

  /** Returns the plan of a waiting container. */
  ContainerPlan waitingPlan(String containerId);

  /** Returns whether a container was killed and has not released its memory yet. */
  default boolean isDying() {
    return containers().stream().anyMatch(NodeContainer::isDying);
  }
}
