/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cfsquota;

import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupThreads;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.config.RegulatorSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.InsteadOf;
import io.charon.nodemanager.execution.Unavailable;
import io.charon.nodemanager.mechanisms.llc.CacheWays;
import io.charon.nodemanager.mechanisms.llc.ResctrlGroup;
import java.nio.file.Path;

/** What carries the limit of the CPU regulator out, as the operator wants it. */
final class CpuLimits {
  private CpuLimits() {}

  /**
   * The chosen way; what the other one left behind goes, too.
   *
   * @param wanted which way, and by which group
   * @param layout the containers' cgroups
   * @param procRoot where proc is mounted
   */
  static Actuator of(RegulatorSettings wanted, CgroupLayout layout, Path procRoot) {
    Actuator quota = quota(layout);
    CgroupHierarchy memory = layout.memory();
    Actuator cacheWays =
        new CacheWays(
            new ResctrlGroup(wanted.resctrlGroup()),
            new CgroupThreads(
                layout.classDirectory(memory, ContainerClass.BEST_EFFORT), memory.version()),
            procRoot);
    return switch (wanted.cpuLimit()) {
      case QUOTA -> new InsteadOf(quota, cacheWays);
      case CACHE_WAYS -> new InsteadOf(cacheWays, quota);
    };
  }

  private static Actuator quota(CgroupLayout layout) {
    return layout
        .hierarchy(CgroupController.CPU)
        .<Actuator>map(
            cpu ->
                new CpuQuota(
                    new CpuBandwidth(
                        layout.classDirectory(cpu, ContainerClass.BEST_EFFORT), cpu.version())))
        .orElseGet(() -> new Unavailable("the cpu controller is not mounted"));
  }
}
