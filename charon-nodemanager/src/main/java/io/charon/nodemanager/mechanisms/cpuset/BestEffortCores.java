/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuset;

import io.charon.core.law.CoreChoice;
import io.charon.core.law.Decision;
import io.charon.nodemanager.cgroup.CpusetWriter;
import io.charon.nodemanager.execution.Actuator;
import java.io.IOException;
import java.util.Optional;

/** Confines all best-effort work to some cores, by the cpuset of its common parent cgroup. */
public final class BestEffortCores implements Actuator {
  private final CpusetWriter cpusets;

  /**
   * Nothing is confined yet.
   *
   * @param cpusets gives cgroups their cores
   */
  public BestEffortCores(CpusetWriter cpusets) {
    this.cpusets = cpusets;
  }

  @Override
  public Optional<String> unavailable() {
    return cpusets.unavailable();
  }

  @Override
  public String apply(Decision decision) throws IOException {
    CoreChoice choice =
        decision
            .cores()
            .filter(cores -> !cores.chosen().isEmpty())
            .orElseThrow(() -> new IOException("no core is known, nothing is done"));
    return cpusets.confineBestEffort(choice.chosen());
  }

  @Override
  public void undo() throws IOException {
    cpusets.releaseBestEffort();
  }
}
