/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cfsquota;

import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.execution.LimitActuator;
import java.io.IOException;
import java.util.Optional;

/**
 * Limits the CPU time of all best-effort work together, by the quota of its common parent cgroup. A
 * limit of nothing is the least that the kernel can do: 1 % of a core.
 */
public final class CpuQuota implements LimitActuator {
  private final CpuBandwidth bestEffort;

  /**
   * A quota that is not set yet.
   *
   * @param bestEffort the common parent of best-effort
   */
  public CpuQuota(CpuBandwidth bestEffort) {
    this.bestEffort = bestEffort;
  }

  @Override
  public Optional<String> unavailable() {
    return bestEffort.unavailable();
  }

  @Override
  public String apply(double cores) throws IOException {
    return bestEffort.limit(cores);
  }

  @Override
  public void undo() throws IOException {
    bestEffort.unlimit();
  }
}
