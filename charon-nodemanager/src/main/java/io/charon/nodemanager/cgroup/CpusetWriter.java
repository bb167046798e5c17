/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The part of {@link CgroupWriter} that gives cgroups their CPUs and NUMA nodes. */
final class CpusetWriter {
  private final CgroupLayout layout;
  private final Optional<CpuSplit> split;
  private final WarningOnce warnings;

  CpusetWriter(CgroupLayout layout, Optional<CpuSplit> split, WarningOnce warnings) {
    this.layout = layout;
    this.split = split;
    this.warnings = warnings;
    if (split.isPresent() && layout.hierarchy(CgroupController.CPUSET).isEmpty()) {
      warnings.warn("cpuset controller", "not mounted: the classes share all CPUs");
    }
  }

  /**
   * Fills a new v1 cpuset from its parent: it starts empty and takes no process before (ENOSPC).
   *
   * @throws IOException if it stays empty
   */
  void inherit(Path cgroup) throws IOException {
    for (CgroupFile file : new CgroupFile[] {CgroupFile.CPUSET_CPUS, CgroupFile.CPUSET_MEMS}) {
      Path own = file.path(cgroup, CgroupVersion.V1);
      if (CgroupDirectories.read(own).isEmpty()) {
        Path parent = file.path(cgroup.getParent(), CgroupVersion.V1);
        CgroupDirectories.write(own, CgroupDirectories.read(parent));
      }
    }
  }

  /** Gives both class parents their CPUs, and the containers that already run there too. */
  void assignClasses(CgroupHierarchy hierarchy) {
    if (!hierarchy.has(CgroupController.CPUSET)) {
      return;
    }
    for (ContainerClass containerClass : ContainerClass.values()) {
      Path parent = layout.classDirectory(hierarchy, containerClass);
      Path file = CgroupFile.CPUSET_CPUS.path(parent, hierarchy.version());
      try {
        String current = CgroupDirectories.read(file);
        String wanted = wanted(hierarchy, containerClass);
        if (current.equals(wanted)) {
          continue;
        }
        if (hierarchy.version() == CgroupVersion.V1) {
          replaceV1(parent, current, wanted);
        } else {
          // On v2 children without a list of their own follow; an empty list follows the parent.
          CgroupDirectories.write(file, wanted + "\n");
        }
      } catch (IOException e) {
        warnings.warn("cpuset.cpus", file + ": " + e + "; CPUs stay as they are");
      }
    }
  }

  private String wanted(CgroupHierarchy hierarchy, ContainerClass containerClass)
      throws IOException {
    if (split.isPresent()) {
      return split.get().cpus(containerClass);
    }
    if (hierarchy.version() == CgroupVersion.V2) {
      return "";
    }
    Path node = layout.nodeDirectory(hierarchy);
    return CgroupDirectories.read(CgroupFile.CPUSET_CPUS.path(node, hierarchy.version()));
  }

  /** A v1 parent must hold its children's CPUs at every moment: widen, move children, narrow. */
  private static void replaceV1(Path parent, String current, String wanted) throws IOException {
    Path file = CgroupFile.CPUSET_CPUS.path(parent, CgroupVersion.V1);
    CgroupDirectories.write(file, current.isEmpty() ? wanted : current + "," + wanted);
    for (Path child : CgroupDirectories.children(parent)) {
      CgroupDirectories.write(CgroupFile.CPUSET_CPUS.path(child, CgroupVersion.V1), wanted);
    }
    CgroupDirectories.write(file, wanted);
  }
}
