/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

/** The controllers that Charon uses; memory is required, the others are used where they exist. */
public enum CgroupController {
  MEMORY("memory"),
  CPU("cpu"),
  CPUSET("cpuset"),
  /**
   * Used only where there is no unified hierarchy; all cgroups of a unified hierarchy can be
   * frozen.
   */
  FREEZER("freezer"),
  /** On v2 always available, and never listed. */
  PERF_EVENT("perf_event"),
  /**
   * Block devices. On version 1 a limit covers only the cgroup itself and not its children, so
   * there only the classes have cgroups ({@link CgroupLayout#ofClasses}).
   */
  IO("blkio", "io"),
  /**
   * Counts processes and threads. Only best-effort as a whole has a limit, so that on version 1
   * only the classes have cgroups.
   */
  PROCESSES("pids");

  private final String v1Name;
  private final String v2Name;

  CgroupController(String name) {
    this(name, name);
  }

  CgroupController(String v1Name, String v2Name) {
    this.v1Name = v1Name;
    this.v2Name = v2Name;
  }

  /** Returns whether containers have no cgroup of their own on version 1. */
  boolean isOfClasses() {
    return this == IO || this == PROCESSES;
  }

  /**
   * Returns the kernel's name, as in the mount options of version 1 and in cgroup.controllers of
   * version 2.
   */
  public String kernelName(CgroupVersion version) {
    return version == CgroupVersion.V1 ? v1Name : v2Name;
  }
}
