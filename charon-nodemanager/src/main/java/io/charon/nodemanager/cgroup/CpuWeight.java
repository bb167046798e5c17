/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes how a cgroup competes for CPU time with the cgroups beside it. */
final class CpuWeight {
  private static final Logger LOG = LoggerFactory.getLogger(CpuWeight.class);

  private static final int PERCENT = 100;

  /** The default CPU weight of a cgroup on each version. */
  private static final int V1_DEFAULT = 1024;

  private static final int V2_DEFAULT = 100;

  private CpuWeight() {}

  /**
   * Gives a cgroup only the CPU time that no other cgroup wants (SCHED_IDLE).
   *
   * @return false if that cannot be set, for example before Linux 5.15
   */
  static boolean setIdle(Path cgroup, CgroupVersion version) {
    try {
      CgroupDirectories.write(CgroupFile.CPU_IDLE.path(cgroup, version), "1");
      return true;
    } catch (IOException e) {
      LOG.debug("no cpu.idle in {}: {}", cgroup, e.toString());
      return false;
    }
  }

  /**
   * Gives a cgroup a share of the default weight.
   *
   * @param percent the share, 1 to 100
   */
  static void set(Path cgroup, CgroupVersion version, int percent) throws IOException {
    Path idle = CgroupFile.CPU_IDLE.path(cgroup, version);
    // The kernel rejects weights while a cgroup is idle.
    if (CgroupDirectories.readIfPresent(idle).filter("1"::equals).isPresent()) {
      CgroupDirectories.write(idle, "0");
    }
    int full = version == CgroupVersion.V1 ? V1_DEFAULT : V2_DEFAULT;
    CgroupFile.CPU_WEIGHT.write(cgroup, version, Integer.toString(full * percent / PERCENT));
  }

  /** Gives a cgroup the lowest weight that the kernel allows. */
  static void setLowest(Path cgroup, CgroupVersion version) throws IOException {
    CgroupFile.CPU_WEIGHT.write(cgroup, version, version == CgroupVersion.V1 ? "2" : "1");
  }
}
