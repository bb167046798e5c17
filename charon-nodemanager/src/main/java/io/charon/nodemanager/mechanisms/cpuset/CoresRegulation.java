/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuset;

import io.charon.core.cpuset.Cores;
import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.cgroup.CpuSplit;
import io.charon.nodemanager.cgroup.CpusetWriter;
import io.charon.nodemanager.config.RegulatorSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.NodeRegulator;
import io.charon.nodemanager.execution.Unavailable;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import java.util.Optional;

/** The cores regulator of a NodeManager's node, put together as the operator wants it. */
public final class CoresRegulation {
  private CoresRegulation() {}

  /**
   * Puts it together.
   *
   * @param wanted what the operator wants
   * @param split the cores that the operator gave best-effort, if any
   * @param reader from now on finds out who is pinned, if anybody wants it
   * @param cpusets gives cgroups their cores, if there are cgroups
   */
  public static NodeRegulator of(
      RegulatorSettings wanted,
      Optional<CpuSplit> split,
      NodeSnapshotReader reader,
      Optional<CpusetWriter> cpusets) {
    if (wanted.coresMode() != RegulatorMode.OFF) {
      reader.lookForPinned();
    }
    return NodeRegulator.ofCores(
        wanted.cores(),
        wanted.coresMode(),
        split.map(cpus -> Cores.parse(cpus.bestEffortCpus())),
        cpusets
            .<Actuator>map(BestEffortCores::new)
            .orElseGet(() -> new Unavailable("containers have no cgroups of their own")),
        reader.pinnedUnavailable());
  }
}
