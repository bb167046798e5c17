/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks whether each start of a container waits until the kernel has moved it into its cgroup.
 * Since Linux 6.0 a move waits for an RCU grace period unless a hierarchy is mounted with {@code
 * favordynmods}, which then holds for all of them (kernel documentation, cgroup-v2.rst).
 */
final class ContainerStartCheck implements Check {
  private static final String NAME = "container starts";
  private static final String OPTION = "favordynmods";
  private static final int FIRST_THAT_WAITS = KernelFiles.release(6, 0);

  private final KernelFiles kernel;

  ContainerStartCheck(KernelFiles kernel) {
    this.kernel = kernel;
  }

  @Override
  public CheckResult run() {
    CgroupMounts mounts = CgroupMounts.read(kernel);
    if (mounts.version() == 0) {
      return CheckResult.ok(NAME, "containers enter no cgroup");
    }
    Optional<Path> favored =
        kernel.mounts().stream()
            .filter(mount -> mount.type().startsWith("cgroup") && mount.options().contains(OPTION))
            .map(Mount::point)
            .findFirst();
    if (favored.isPresent()) {
      return CheckResult.ok(NAME, favored.get() + " is mounted with " + OPTION);
    }
    if (kernel.release() < FIRST_THAT_WAITS) {
      return CheckResult.ok(NAME, "this kernel moves processes between cgroups without waiting");
    }
    return CheckResult.degraded(
        NAME,
        "no cgroup hierarchy is mounted with "
            + OPTION
            + ": each container starts some 10 ms later, because entering its cgroup waits",
        "mount -o remount,%s %s after each boot; forks and exits of the machine then cost slightly more"
            .formatted(OPTION, mounts.v2().or(() -> mounts.mountOf("memory")).orElseThrow()));
  }
}
