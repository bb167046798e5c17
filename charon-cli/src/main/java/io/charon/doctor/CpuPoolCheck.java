/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.core.law.SharedPool;
import io.charon.nodemanager.config.CpuPoolSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks whether production containers that share processors can have quotas that follow their use.
 */
final class CpuPoolCheck implements Check {
  private static final String NAME = "cpu pool";
  private static final String OFF = "off";
  private static final String BY_MACHINE = "0";
  private static final double PERCENT = 100;

  private final KernelFiles kernel;
  private final YarnSite site;

  CpuPoolCheck(KernelFiles kernel, YarnSite site) {
    this.kernel = kernel;
    this.site = site;
  }

  @Override
  public CheckResult run() {
    String mode;
    String high;
    try {
      mode = site.get(CpuPoolSettings.MODE).orElse(OFF);
      high = site.get(CpuPoolSettings.HIGH_PERCENT).orElse(BY_MACHINE);
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    String detail = "%s is %s".formatted(CpuPoolSettings.MODE, mode);
    CheckResult ifOn = ifOn(detail, high);
    return mode.equals(OFF) ? ifOn.ofOff() : ifOn;
  }

  private CheckResult ifOn(String detail, String high) {
    CgroupMounts mounts = CgroupMounts.read(kernel);
    Optional<Path> cpu = mounts.mountOf("cpu");
    if (cpu.isEmpty()) {
      return CheckResult.missing(
          NAME, detail + "; no cpu controller is mounted", "mount cgroup v2, or v1 with cpu");
    }
    if (mounts.v2().isEmpty() && !Files.exists(cpu.get().resolve("cpuacct.usage"))) {
      return CheckResult.missing(
          NAME,
          detail + "; the CPU time of the cgroups in " + cpu.get() + " is not counted",
          "mount cgroup v2 as well, or v1 with cpu and cpuacct together");
    }
    return CheckResult.ok(
        NAME,
        detail
            + "; quotas are reclaimed above %s %% of the shared processors; set vcores to what containers need: with"
                .formatted(high.equals(BY_MACHINE) ? line() : high)
            + " YARN's DefaultResourceCalculator each container has one");
  }

  private String line() {
    boolean threads =
        kernel
            .read(kernel.sys().resolve("devices/system/cpu/smt/active"))
            .filter(active -> active.equals("1"))
            .isPresent();
    return Long.toString(
        Math.round(
            PERCENT * (threads ? SharedPool.HIGH_USE_OF_THREADS : SharedPool.HIGH_USE_OF_CORES)));
  }
}
