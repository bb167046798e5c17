/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.nodemanager.config.CpuBurstSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks whether production containers with a CPU quota can save up what they do not use. */
final class CpuBurstCheck implements Check {
  private static final String NAME = "cpu burst";
  private static final String STRICT =
      "yarn.nodemanager.linux-container-executor.cgroups.strict-resource-usage";
  private static final String OFF = "off";

  private final KernelFiles kernel;
  private final YarnSite site;

  CpuBurstCheck(KernelFiles kernel, YarnSite site) {
    this.kernel = kernel;
    this.site = site;
  }

  @Override
  public CheckResult run() {
    String mode;
    boolean strict;
    try {
      mode = site.get(CpuBurstSettings.MODE).orElse(OFF);
      strict = site.get(STRICT).map(Boolean::parseBoolean).orElse(false);
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    String detail =
        "%s is %s; %s"
            .formatted(
                CpuBurstSettings.MODE,
                mode,
                strict
                    ? "YARN gives containers CPU quotas"
                    : "YARN gives no CPU quotas: cpu-burst affects only quotas that other software sets");
    CheckResult ifOn = ifOn(detail);
    return mode.equals(OFF) ? ifOn.ofOff() : ifOn;
  }

  private CheckResult ifOn(String detail) {
    CgroupMounts mounts = CgroupMounts.read(kernel);
    Optional<Path> cpu = mounts.mountOf("cpu");
    if (cpu.isEmpty()) {
      return CheckResult.missing(
          NAME, detail + "; no cpu controller is mounted", "mount cgroup v2, or v1 with cpu");
    }
    return hasBurst(cpu.get(), mounts.version())
        ? CheckResult.ok(NAME, detail)
        : CheckResult.degraded(
            NAME,
            detail + "; this kernel has no burst: the longer period alone gives half as much",
            "use Linux 5.14 or newer");
  }

  /** On version 2, the root has no such file, but its children have. */
  private static boolean hasBurst(Path cpu, int version) {
    if (version == 1) {
      return Files.exists(cpu.resolve("cpu.cfs_burst_us"));
    }
    try (Stream<Path> children = Files.list(cpu)) {
      return children.anyMatch(child -> Files.exists(child.resolve("cpu.max.burst")));
    } catch (IOException | UncheckedIOException noneToBeSeen) {
      return false;
    }
  }
}
