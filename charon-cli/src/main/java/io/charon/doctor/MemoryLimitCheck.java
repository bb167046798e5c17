/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.nodemanager.config.MemoryLimitKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks whether best-effort's memory limit can move here, and which useful features this kernel
 * lacks.
 */
final class MemoryLimitCheck implements Check {
  private static final String NAME = "memory limit";
  private static final String ELASTIC = "yarn.nodemanager.elastic-memory-control.enabled";
  private static final String OFF = "off";

  /** Since this release, the kernel remembers evicted pages of a file that no process has open. */
  private static final int KEEPS_PROTECTION = KernelFiles.release(5, 15);

  /** Since this release, memory.max can be set at once, even below use. */
  private static final int SETS_AT_ONCE = KernelFiles.release(6, 16);

  private final KernelFiles kernel;
  private final YarnSite site;

  MemoryLimitCheck(KernelFiles kernel, YarnSite site) {
    this.kernel = kernel;
    this.site = site;
  }

  @Override
  public CheckResult run() {
    String mode;
    boolean elastic;
    try {
      mode = site.get(MemoryLimitKeys.MODE).orElseThrow(); // Charon's own default always exists
      elastic = site.get(ELASTIC).map(Boolean::parseBoolean).orElse(false);
    } catch (IllegalArgumentException e) {
      return CheckResult.degraded(NAME, e.getMessage(), "correct the file");
    }
    int version = CgroupMounts.read(kernel).version();
    List<String> lacks = lacks(version);
    String detail =
        Stream.concat(Stream.of(MemoryLimitKeys.MODE + " is " + mode), lacks.stream())
            .collect(Collectors.joining("; this kernel "));
    if (mode.equals(OFF)) {
      return CheckResult.ok(NAME, detail);
    }
    if (elastic) {
      return CheckResult.missing(
          NAME,
          ELASTIC
              + " is true: YARN pauses or kills containers of both kinds by a limit of its own, "
              + "even if the memory limit of best-effort would release enough memory",
          "set " + ELASTIC + " to false, or " + MemoryLimitKeys.MODE + " to off");
    }
    if (version == 0) {
      return CheckResult.missing(
          NAME,
          detail,
          "boot without cgroup_disable=memory, and mount -t cgroup2 none /sys/fs/cgroup");
    }
    return lacks.isEmpty()
        ? CheckResult.ok(NAME, detail)
        : CheckResult.degraded(
            NAME,
            detail,
            "not needed to use it; works better with cgroup version 2 and Linux 6.16");
  }

  private List<String> lacks(int version) {
    if (version == 0) {
      return List.of("has no memory controller mounted");
    }
    if (version == 1) {
      return List.of(
          "(cgroup version 1) does not reclaim the spare page cache of other cgroups first, "
              + "so best-effort never grows into it",
          "lowers a limit below the current use only after it has reclaimed the difference");
    }
    List<String> lacks = new ArrayList<>();
    int release = kernel.release();
    if (release < KEEPS_PROTECTION) {
      lacks.add("(before 5.15) loses the protection of a file's pages when its inode is evicted");
    }
    if (release < SETS_AT_ONCE) {
      lacks.add(
          "(before 6.16) lowers a limit below the current use only after it has reclaimed "
              + "the difference");
    }
    return lacks;
  }
}
