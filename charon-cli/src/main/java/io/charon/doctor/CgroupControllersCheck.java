/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.util.List;

/** Checks which cgroup version is in use, and whether it has the controllers that Charon uses. */
final class CgroupControllersCheck implements Check {
  private static final String NAME = "cgroup controllers";

  private final KernelFiles kernel;

  CgroupControllersCheck(KernelFiles kernel) {
    this.kernel = kernel;
  }

  @Override
  public CheckResult run() {
    CgroupMounts mounts = CgroupMounts.read(kernel);
    if (mounts.version() == 0) {
      return CheckResult.missing(
          NAME,
          "no memory controller is mounted: containers get no cgroup, and their memory use "
              + "is read from their processes",
          "boot without cgroup_disable=memory, and mount -t cgroup2 none /sys/fs/cgroup");
    }
    String version = "version " + mounts.version() + swappiness(mounts.version());
    List<String> absent =
        CgroupMounts.USED.stream().filter(name -> mounts.mountOf(name).isEmpty()).toList();
    if (absent.isEmpty()) {
      return CheckResult.ok(NAME, version + ", with " + String.join(", ", CgroupMounts.USED));
    }
    return CheckResult.degraded(
        NAME,
        version + "; not available: " + String.join(", ", absent),
        mounts.version() == 2
            ? "in a container, delegate the controllers; on the host, boot without cgroup_disable"
            : "mount -t cgroup -o CONTROLLER none /sys/fs/cgroup/CONTROLLER");
  }

  private static String swappiness(int version) {
    return version == 1
        ? " (swappiness 0 protects anonymous memory only, not file pages)"
        : " (no swappiness per cgroup)";
  }
}
