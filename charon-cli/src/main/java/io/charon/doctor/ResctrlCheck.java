/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

/** Whether caches and memory bandwidth can be divided (Intel RDT, AMD QoS, Arm MPAM). */
final class ResctrlCheck implements Check {
  private static final String NAME = "resctrl";

  private final KernelFiles kernel;

  ResctrlCheck(KernelFiles kernel) {
    this.kernel = kernel;
  }

  @Override
  public CheckResult run() {
    boolean supported =
        kernel
            .read(kernel.proc().resolve("filesystems"))
            .orElse("")
            .lines()
            .anyMatch(line -> line.strip().endsWith("resctrl"));
    if (!supported) {
      return CheckResult.missing(
          NAME,
          "this kernel on this CPU has no resctrl file system",
          "use a CPU with RDT, QoS or MPAM and a kernel that supports it; virtual machines rarely do");
    }
    return kernel.mounts().stream()
        .filter(mount -> mount.type().equals("resctrl"))
        .findFirst()
        .map(mount -> CheckResult.ok(NAME, "mounted at " + mount.point()))
        .orElseGet(
            () ->
                CheckResult.degraded(
                    NAME, "supported but not mounted", "mount -t resctrl resctrl /sys/fs/resctrl"));
  }
}
