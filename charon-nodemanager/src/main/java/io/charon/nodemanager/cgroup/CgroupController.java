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
  /** Only used where there is no unified hierarchy, whose cgroups can all be frozen. */
  FREEZER("freezer"),
  /** On v2 it is everywhere, and never listed. */
  PERF_EVENT("perf_event"),
  /**
   * Block devices. Version 1 limits each cgroup by itself and not what is below, so that there only
   * the classes have cgroups ({@link CgroupLayout#ofClasses}).
   */
  IO("blkio", "io");

  private final String v1Name;
  private final String v2Name;

  CgroupController(String name) {
    this(name, name);
  }

  CgroupController(String v1Name, String v2Name) {
    this.v1Name = v1Name;
    this.v2Name = v2Name;
  }

  /** The kernel's name, as in mount options of version 1 and in cgroup.controllers of version 2. */
  public String kernelName(CgroupVersion version) {
    return version == CgroupVersion.V1 ? v1Name : v2Name;
  }
}
