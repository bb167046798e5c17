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
 * What production containers with a CPU quota may save up.
 *
 * @param mode what may be done
 * @param factor how many quotas of 100 ms may be used at once, 1 to 20
 * @param yarnCgroup cgroup below which YARN gives containers quotas, such as hadoop-yarn
 * @param memory file that keeps what was found over a restart; empty where no container outlives
 *     one
 */
public record CpuBurstSettings(
    RegulatorMode mode, int factor, Path yarnCgroup, Optional<Path> memory) {
  /** What its keys start with; both may change at run time. */
  private static final String PREFIX = SettingsReader.PREFIX + "cpu-burst.";

  private static final String YARN_CGROUP = "/hadoop-yarn";

  /** Without cgroups it is off. */
  public static CpuBurstSettings read(Keys keys, Mode mode, boolean cgroups) {
    return new CpuBurstSettings(
        keys.mode(PREFIX + "mode", mode, cgroups),
        keys.number(PREFIX + "factor", 1, TokenBucket.MAX),
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
