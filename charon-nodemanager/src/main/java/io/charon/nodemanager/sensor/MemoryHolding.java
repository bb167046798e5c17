/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.memorylimit.SlowLook;
import io.charon.core.mechanism.Reading;

/**
 * Who holds a node's memory, and by what right.
 *
 * @param look who is not best-effort
 * @param nodeBytes the node's use
 * @param othersSwapBytes what others have in swap
 * @param claimBytes what production that just started will need
 * @param bestEffort what best-effort holds, ended containers included
 * @param bestEffortRuns whether any process of a best-effort container is left
 */
public record MemoryHolding(
    SlowLook look,
    long nodeBytes,
    long othersSwapBytes,
    long claimBytes,
    CgroupUse bestEffort,
    boolean bestEffortRuns)
    implements Reading {
  /** The same while a best-effort container is starting: it is limited before it does anything. */
  public MemoryHolding starting() {
    return new MemoryHolding(look, nodeBytes, othersSwapBytes, claimBytes, bestEffort, true);
  }
}
