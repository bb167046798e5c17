/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Creates, updates and removes the node's own cgroups, which contain those of the containers. Safe
 * for many threads.
 */
final class NodeTree {
  private static final String MIN_DISK_WEIGHT = "1";

  private final CgroupLayout layout;
  private final CpusetWriter cpusets;
  private final WarningOnce warnings;

  /** Cgroups above the node's that this instance created, in order of creation. */
  private final Set<Path> createdAncestors = new LinkedHashSet<>();

  NodeTree(CgroupLayout layout, CpusetWriter cpusets, WarningOnce warnings) {
    this.layout = layout;
    this.cpusets = cpusets;
    this.warnings = warnings;
  }

  /**
   * Creates or updates the tree.
   *
   * @throws CgroupException if the memory cgroup cannot be created
   */
  synchronized void prepare() throws CgroupException {
    for (CgroupHierarchy hierarchy : layout.ofClasses()) {
      try {
        prepare(hierarchy);
      } catch (IOException e) {
        failed(hierarchy, layout.nodeDirectory(hierarchy), e);
      }
    }
    if (layout.hierarchy(CgroupController.CPU).isEmpty()) {
      warnings.warn(
          "cpu controller",
          "not mounted: best-effort containers have the same CPU weight as others");
    }
  }

  private void prepare(CgroupHierarchy hierarchy) throws IOException {
    Path cgroup = hierarchy.mountPoint();
    enableControllers(hierarchy, cgroup);
    Path node = layout.nodeDirectory(hierarchy);
    for (Path segment : cgroup.relativize(node)) {
      cgroup = cgroup.resolve(segment);
      boolean existed = Files.isDirectory(cgroup);
      create(hierarchy, cgroup);
      if (!existed && !cgroup.equals(node)) {
        createdAncestors.add(cgroup);
      }
      enableControllers(hierarchy, cgroup);
    }
    for (ContainerClass containerClass : ContainerClass.values()) {
      Path parent = layout.classDirectory(hierarchy, containerClass);
      create(hierarchy, parent);
      enableControllers(hierarchy, parent);
    }
    if (hierarchy.has(CgroupController.CPU)) {
      lowerBestEffortWeight(hierarchy);
    }
    if (hierarchy.has(CgroupController.IO)) {
      lowerBestEffortDiskWeight(hierarchy);
    }
    if (hierarchy.has(CgroupController.PROCESSES) && hierarchy.version() == CgroupVersion.V1) {
      keepProcessLimit(hierarchy);
    }
    cpusets.assignClasses(hierarchy);
  }

  /**
   * Sets the lowest disk weight. With the default weight, best-effort in its own cgroup would weigh
   * as much as everything else together, because bfq has no idle class for cgroups. On version 1
   * the node's cgroup gets it too, as this tree contains only best-effort there, and what was
   * promoted where the NodeManager may not move it elsewhere.
   */
  private void lowerBestEffortDiskWeight(CgroupHierarchy hierarchy) {
    List<Path> lowered = new ArrayList<>();
    lowered.add(layout.classDirectory(hierarchy, ContainerClass.BEST_EFFORT));
    if (hierarchy.version() == CgroupVersion.V1) {
      lowered.add(layout.nodeDirectory(hierarchy));
    }
    for (Path cgroup : lowered) {
      for (CgroupFile weight : List.of(CgroupFile.BFQ_WEIGHT, CgroupFile.DISK_WEIGHT)) {
        Optional<Path> file = weight.in(cgroup, hierarchy.version()).filter(Files::exists);
        try {
          if (file.isPresent()) {
            CgroupDirectories.write(file.get(), MIN_DISK_WEIGHT);
          }
        } catch (IOException e) {
          warnings.warn(
              weight.name(),
              file.get() + ": " + e + "; best-effort has the same weight as production");
        }
      }
    }
  }

  /**
   * Gives the node's cgroup the limit under which this process is, such as systemd's TasksMax. On
   * version 2 the node's cgroup usually is below that limit; here it is not, and best-effort would
   * leave it.
   */
  private void keepProcessLimit(CgroupHierarchy hierarchy) {
    Path own = layout.directory("self", hierarchy).orElse(hierarchy.mountPoint());
    OptionalLong lowest = OptionalLong.empty();
    try {
      for (Path above = own; above.startsWith(hierarchy.mountPoint()); above = above.getParent()) {
        OptionalLong limit = new ProcessCount(above, hierarchy.version()).limit();
        if (limit.isPresent() && limit.getAsLong() < lowest.orElse(Long.MAX_VALUE)) {
          lowest = limit;
        }
      }
      ProcessCount node = new ProcessCount(layout.nodeDirectory(hierarchy), hierarchy.version());
      if (lowest.isPresent() && !lowest.equals(node.limit())) {
        String unused = node.limit(lowest.getAsLong());
      }
    } catch (IOException e) {
      warnings.warn("pids.max", e.getMessage() + "; best-effort has no limit of processes");
    }
  }

  /** Creates one cgroup and sets what is required before a process may enter it. */
  void create(CgroupHierarchy hierarchy, Path cgroup) throws IOException {
    CgroupDirectories.create(cgroup);
    if (hierarchy.version() == CgroupVersion.V1) {
      if (hierarchy.has(CgroupController.MEMORY)) {
        chargeParents(cgroup);
      }
      if (hierarchy.has(CgroupController.CPUSET)) {
        cpusets.fill(cgroup);
      }
    }
  }

  /**
   * Makes memory count for the parents too, which is optional on old v1 kernels and must be set
   * before the cgroup has children.
   */
  private void chargeParents(Path cgroup) {
    Path file = CgroupFile.USE_HIERARCHY.path(cgroup, CgroupVersion.V1);
    try {
      if (Files.exists(file) && CgroupDirectories.read(file).equals("0")) {
        CgroupDirectories.write(file, "1");
      }
    } catch (IOException e) {
      warnings.warn(
          "memory.use_hierarchy",
          file + ": " + e + "; parent cgroups do not count their children's memory");
    }
  }

  /**
   * Enables the controllers for children; on v2 a controller works in a cgroup only if every cgroup
   * above has enabled it.
   */
  private void enableControllers(CgroupHierarchy hierarchy, Path cgroup) throws IOException {
    if (hierarchy.version() == CgroupVersion.V1 || hierarchy.controllers().isEmpty()) {
      return;
    }
    Path file = CgroupFile.SUBTREE_CONTROL.path(cgroup, hierarchy.version());
    List<String> enabled = List.of(CgroupDirectories.read(file).split(" ", -1));
    for (CgroupController controller : CgroupController.values()) {
      String name = controller.kernelName(hierarchy.version());
      if (!hierarchy.has(controller) || enabled.contains(name)) {
        continue;
      }
      try {
        // One by one: a controller that cannot be enabled must not affect the others.
        CgroupDirectories.write(file, "+" + name);
      } catch (IOException e) {
        if (controller == CgroupController.MEMORY) {
          throw e;
        }
        warnings.warn(name + " controller", "cannot be enabled in " + file + ": " + e);
      }
    }
  }

  /**
   * Uses SCHED_IDLE for the whole class if the kernel supports it, otherwise the smallest weight.
   */
  private void lowerBestEffortWeight(CgroupHierarchy hierarchy) {
    CgroupVersion version = hierarchy.version();
    Path parent = layout.classDirectory(hierarchy, ContainerClass.BEST_EFFORT);
    if (CpuWeight.setIdle(parent, version)) {
      return;
    }
    try {
      CpuWeight.setLowest(parent, version);
    } catch (IOException e) {
      Path weight = CgroupFile.CPU_WEIGHT.path(parent, version);
      warnings.warn(
          weight.getFileName().toString(),
          weight + ": " + e + "; best-effort containers have the same weight as production");
    }
  }

  /**
   * Removes the tree if no container is left, and the cgroups above that this instance created.
   *
   * @return whether the tree is gone
   */
  synchronized boolean remove() {
    boolean gone = true;
    for (CgroupHierarchy hierarchy : layout.ofClasses()) {
      for (ContainerClass containerClass : ContainerClass.values()) {
        gone &= CgroupDirectories.removeOne(layout.classDirectory(hierarchy, containerClass));
      }
      gone &= CgroupDirectories.removeOne(layout.nodeDirectory(hierarchy));
    }
    List<Path> ancestors = new ArrayList<>(createdAncestors);
    for (int i = ancestors.size() - 1; i >= 0; i--) {
      if (CgroupDirectories.removeOne(ancestors.get(i))) {
        createdAncestors.remove(ancestors.get(i));
      }
    }
    return gone;
  }

  /**
   * Handles a cgroup that could not be created.
   *
   * @throws CgroupException if it is the memory cgroup, which is required
   */
  void failed(CgroupHierarchy hierarchy, Path cgroup, IOException e) throws CgroupException {
    if (hierarchy.has(CgroupController.MEMORY)) {
      throw new CgroupException(
          "cannot prepare the memory cgroup "
              + cgroup
              + ": "
              + e
              + "; let the NodeManager's user write there (chown an existing cgroup and name it in"
              + " yarn.nodemanager.charon.cgroup.path), or set yarn.nodemanager.charon.cgroup.enabled"
              + " to false",
          e);
    }
    warnings.warn(
        "cgroup in " + hierarchy.name(),
        cgroup + ": " + e + "; containers run without this cgroup");
  }
}
