/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.law.RegulatorMode;
import io.charon.core.law.TokenBucket;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Settings for the CPU time that production containers with a quota may accumulate.
 *
 * @param mode what the mechanism may do
 * @param factor size of a burst as a multiple of the quota of 100 ms, 1 to 20
 * @param yarnCgroup cgroup below which YARN gives containers quotas, such as hadoop-yarn
 * @param memory file that preserves the original values across a restart; empty where no container
 *     survives a restart
 */
public record CpuBurstSettings(
    RegulatorMode mode, int factor, Path yarnCgroup, Optional<Path> memory) {
  public static final String MODE = "yarn.nodemanager.charon.cpu-burst.mode";

  private static final String YARN_CGROUP = "/hadoop-yarn";

  /** Reads the settings; without cgroups the mode is off. */
  public static CpuBurstSettings read(Keys keys, Mode mode, boolean cgroups) {
    return new CpuBurstSettings(
        keys.mode(MODE, mode, cgroups),
        keys.number("yarn.nodemanager.charon.cpu-burst.factor", 1, TokenBucket.MAX),
        Path.of("/")
            .relativize(
                Path.of(
                        "/",
                        keys.yarn()
                            .getTrimmed(
                                YarnConfiguration.NM_LINUX_CONTAINER_CGROUPS_HIERARCHY,
                                YARN_CGROUP))
                    .normalize()),
        RecoveryFile.of(keys.yarn(), "charon-cpu-quotas.properties"));
  }
}
