/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.util.List;

/** A node as killers and launch policies see it. */
public interface NodeState {
  /** What the node has. */
  NodeSize size();

  /**
   * Linux's {@code MemAvailable}, bytes: free memory and all page cache, whether in use or not, but
   * the smaller of half of it and the low watermark. (The Charon paper, section 2.3, says half of
   * the page cache; that is so on nodes with hardly any.)
   */
  long availableBytes();

  /** Whether memory in use does not fit, so that the kernel reclaims. */
  boolean isUnderPressure();

  /** Pages that do not fit even into the swap space, bytes; 0 while they do. */
  long beyondSwapBytes();

  /** Everything that runs, in order of start, dying containers included. */
  List<NodeContainer> containers();

  /** Requests of the guaranteed containers that run, bytes. */
  long guaranteedRequestedBytes();

  /** The plan of a container that waits. */
  ContainerPlan waitingPlan(String containerId);

  /** Whether a container was killed and has not given back its memory yet. */
  default boolean isDying() {
    return containers().stream().anyMatch(NodeContainer::isDying);
  }
}
