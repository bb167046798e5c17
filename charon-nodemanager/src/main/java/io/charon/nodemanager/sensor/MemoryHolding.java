/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.memorylimit.SlowSample;
import io.charon.core.mechanism.Reading;

/**
 * Who holds a node's memory, and with which entitlement.
 *
 * @param sample the memory of everything except best-effort
 * @param nodeBytes the node's use
 * @param othersSwapBytes memory of everything except best-effort in swap
 * @param claimBytes memory that recently started production containers will still need
 * @param bestEffort memory of best-effort, including ended containers
 * @param bestEffortRuns whether a best-effort container still has a process
 */
public record MemoryHolding(
    SlowSample sample,
    long nodeBytes,
    long othersSwapBytes,
    long claimBytes,
    CgroupUse bestEffort,
    boolean bestEffortRuns)
    implements Reading {
  /**
   * Returns the same holding with best-effort running. Used while a container is starting, so that
   * it is limited before it uses memory.
   */
  public MemoryHolding starting() {
    return new MemoryHolding(sample, nodeBytes, othersSwapBytes, claimBytes, bestEffort, true);
  }
}
