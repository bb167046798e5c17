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
  PERF_EVENT("perf_event");

  private final String kernelName;

  CgroupController(String kernelName) {
    this.kernelName = kernelName;
  }

  /** The kernel's name, as in mount options and in cgroup.controllers. */
  public String kernelName() {
    return kernelName;
  }
}
