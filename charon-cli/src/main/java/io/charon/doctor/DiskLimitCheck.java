/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.nodemanager.config.DiskLimitSettings;
import io.charon.nodemanager.config.MemoryLimitKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Checks whether best-effort's reads can be limited while production refills its page cache, and
 * names the disks that hold containers' files.
 */
final class DiskLimitCheck implements Check {
  private static final String NAME = "disk limit";
  private static final String LOCAL_DIRS = "yarn.nodemanager.local-dirs";
  private static final String OFF = "off";
  private static final String V1_FILE = "blkio.throttle.read_bps_device";
  private static final String V2_FILE = "io.max";

  private final KernelFiles kernel;
  private final YarnSite site;

  DiskLimitCheck(KernelFiles kernel, YarnSite site) {
    this.kernel = kernel;
    this.site = site;
  }

  @Override
  public CheckResult run() {
    String mode;
    String memoryMode;
    Optional<String> directories;
    try {
      mode = site.get(DiskLimitSettings.MODE).orElse(OFF);
      memoryMode = site.get(MemoryLimitKeys.MODE).orElse(OFF);
      directories = site.get(LOCAL_DIRS);
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    String detail =
        DiskLimitSettings.MODE + " is " + mode + directories.map(this::behind).orElse("");
    CheckResult ifOn = ifOn(detail, memoryMode);
    return mode.equals(OFF) ? ifOn.ofOff() : ifOn;
  }

  private CheckResult ifOn(String detail, String memoryMode) {
    if (memoryMode.equals(OFF)) {
      return CheckResult.missing(
          NAME,
          detail + "; the page-cache entitlement of containers is measured with the memory limit",
          "set " + MemoryLimitKeys.MODE + " to observe or enforce");
    }
    return isThere()
        ? CheckResult.ok(NAME, detail)
        : CheckResult.missing(
            NAME,
            detail + "; this machine cannot limit the reads of cgroups",
            "use a kernel with CONFIG_BLK_DEV_THROTTLING, and cgroup v2 with io, or blkio of "
                + "v1 in a mount of its own");
  }

  private boolean isThere() {
    for (Mount mount : kernel.mounts()) {
      if (mount.type().equals("cgroup")
          && mount.options().contains("blkio")
          && !mount.options().contains("memory")) {
        return Files.exists(mount.point().resolve(V1_FILE));
      }
    }
    CgroupMounts mounts = CgroupMounts.read(kernel);
    return mounts.v2Controllers().contains("io")
        && mounts.v2().map(DiskLimitCheck::childrenLimitReads).orElse(false);
  }

  /**
   * The root has no such file. If no child has the controller yet, the answer is unknown and counts
   * as yes.
   */
  private static boolean childrenLimitReads(Path mount) {
    try (Stream<Path> listed = Files.list(mount)) {
      List<Path> children = listed.filter(child -> Files.exists(child.resolve("io.stat"))).toList();
      return children.isEmpty()
          || children.stream().anyMatch(child -> Files.exists(child.resolve(V2_FILE)));
    } catch (IOException e) {
      return false;
    }
  }

  /** Names the disks behind the local directories, because a limit applies to a whole disk. */
  private String behind(String directories) {
    Set<String> disks = new TreeSet<>();
    List<String> without = new ArrayList<>();
    for (String directory : directories.split(",", -1)) {
      Set<String> found = disks(directory.strip());
      disks.addAll(found);
      if (found.isEmpty()) {
        without.add(directory.strip());
      }
    }
    return (disks.isEmpty() ? "" : "; local directories are on " + String.join(", ", disks))
        + (without.isEmpty() ? "" : "; no disk was found for " + String.join(", ", without));
  }

  private Set<String> disks(String directory) {
    Set<String> disks = new TreeSet<>();
    try {
      long device = ((Number) Files.getAttribute(Path.of(directory), "unix:dev")).longValue();
      long major = (device >> 8) & 0xfff;
      long minor = (device & 0xff) | ((device >> 12) & 0xfff00);
      addDisks(kernel.sys().resolve("dev/block/" + major + ":" + minor).toRealPath(), disks);
    } catch (IOException | RuntimeException notThere) {
      return Set.of();
    }
    return disks;
  }

  private static void addDisks(Path device, Set<String> disks) throws IOException {
    if (Files.exists(device.resolve("device"))) {
      disks.add(device.getFileName().toString());
    } else if (Files.exists(device.resolve("partition"))) {
      addDisks(device.getParent(), disks);
    } else {
      try (Stream<Path> slaves = Files.list(device.resolve("slaves"))) {
        for (Path slave : slaves.toList()) {
          addDisks(slave.toRealPath(), disks);
        }
      }
    }
  }
}
