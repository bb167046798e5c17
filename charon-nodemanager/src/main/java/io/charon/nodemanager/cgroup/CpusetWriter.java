/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import io.charon.core.cpuset.Cores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Gives cgroups their CPUs and NUMA nodes: the part of {@link CgroupWriter} that is also asked at
 * run time, when the cores of best-effort change. Safe for many threads.
 */
public final class CpusetWriter {
  private final CgroupLayout layout;
  private final Optional<CpuSplit> split;
  private final WarningOnce warnings;

  /** What best-effort is confined to for now, in place of what the operator gave it. */
  private Optional<Cores> confined = Optional.empty();

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
  public static void inherit(Path cgroup) throws IOException {
    for (CgroupFile file : new CgroupFile[] {CgroupFile.CPUSET_CPUS, CgroupFile.CPUSET_MEMS}) {
      Path own = file.path(cgroup, CgroupVersion.V1);
      if (CgroupDirectories.read(own).isEmpty()) {
        Path parent = file.path(cgroup.getParent(), CgroupVersion.V1);
        CgroupDirectories.write(own, CgroupDirectories.read(parent));
      }
    }
  }

  /** Gives both class parents their CPUs, and the containers that already run there too. */
  synchronized void assignClasses(CgroupHierarchy hierarchy) {
    if (!hierarchy.has(CgroupController.CPUSET)) {
      return;
    }
    for (ContainerClass containerClass : ContainerClass.values()) {
      Path parent = layout.classDirectory(hierarchy, containerClass);
      try {
        replace(hierarchy, parent, wanted(hierarchy, containerClass));
      } catch (IOException e) {
        Path file = CgroupFile.CPUSET_CPUS.path(parent, hierarchy.version());
        warnings.warn("cpuset.cpus", file + ": " + e + "; CPUs stay as they are");
      }
    }
  }

  /** Why best-effort cannot be confined here, with the cure; empty if it can. */
  public Optional<String> unavailable() {
    Optional<CgroupHierarchy> hierarchy = layout.hierarchy(CgroupController.CPUSET);
    if (hierarchy.isEmpty()) {
      return Optional.of("the cpuset controller is not mounted");
    }
    Path file = bestEffortFile(hierarchy.get());
    if (!Files.exists(file)) {
      return Optional.of(
          file + " does not exist: enable the cpuset controller for " + file.getParent());
    }
    return Files.isWritable(file)
        ? Optional.empty()
        : Optional.of(file + " cannot be written: chown the cgroup to the NodeManager's user");
  }

  /**
   * Confines all of best-effort, also the containers that start later, to some cores.
   *
   * @param cores not none
   * @return what holds now, as file=value
   * @throws IOException naming the file; some of best-effort may run on other cores still
   */
  public synchronized String confineBestEffort(Cores cores) throws IOException {
    CgroupHierarchy hierarchy =
        layout
            .hierarchy(CgroupController.CPUSET)
            .orElseThrow(() -> new IOException("the cpuset controller is not mounted"));
    confined = Optional.of(cores);
    replace(hierarchy, bestEffort(hierarchy), cores.toString());
    return bestEffortFile(hierarchy).getFileName() + "=" + cores;
  }

  /**
   * Gives best-effort back what the operator gave it, also if an earlier process confined it.
   *
   * @throws IOException naming the file, and how to do it by hand
   */
  public synchronized void releaseBestEffort() throws IOException {
    confined = Optional.empty();
    Optional<CgroupHierarchy> hierarchy = layout.hierarchy(CgroupController.CPUSET);
    if (hierarchy.isEmpty() || !Files.exists(bestEffortFile(hierarchy.get()))) {
      return;
    }
    Path file = bestEffortFile(hierarchy.get());
    String wanted = "what its parent has";
    try {
      wanted = wanted(hierarchy.get(), ContainerClass.BEST_EFFORT);
      replace(hierarchy.get(), bestEffort(hierarchy.get()), wanted);
    } catch (IOException e) {
      throw new IOException(
          "best-effort may still be confined to some cores: %s; by hand: echo '%s' > %s"
              .formatted(e.getMessage(), wanted, file),
          e);
    }
  }

  private Path bestEffort(CgroupHierarchy hierarchy) {
    return layout.classDirectory(hierarchy, ContainerClass.BEST_EFFORT);
  }

  private Path bestEffortFile(CgroupHierarchy hierarchy) {
    return CgroupFile.CPUSET_CPUS.path(bestEffort(hierarchy), hierarchy.version());
  }

  private String wanted(CgroupHierarchy hierarchy, ContainerClass containerClass)
      throws IOException {
    if (containerClass == ContainerClass.BEST_EFFORT && confined.isPresent()) {
      return confined.get().toString();
    }
    if (split.isPresent()) {
      return split.get().cpus(containerClass);
    }
    if (hierarchy.version() == CgroupVersion.V2) {
      return "";
    }
    Path node = layout.nodeDirectory(hierarchy);
    return read(CgroupFile.CPUSET_CPUS.path(node, hierarchy.version()));
  }

  /** On v2 children without a list of their own follow; an empty list follows the parent. */
  private static void replace(CgroupHierarchy hierarchy, Path parent, String wanted)
      throws IOException {
    if (hierarchy.version() == CgroupVersion.V1) {
      replaceV1(parent, wanted);
      return;
    }
    Path file = CgroupFile.CPUSET_CPUS.path(parent, CgroupVersion.V2);
    if (!read(file).equals(wanted)) {
      write(file, wanted + "\n");
    }
  }

  /**
   * A v1 cgroup must hold its children's CPUs at every moment: widen, move children, narrow. A
   * child that goes away meanwhile has none.
   */
  private static void replaceV1(Path cgroup, String wanted) throws IOException {
    Path file = CgroupFile.CPUSET_CPUS.path(cgroup, CgroupVersion.V1);
    String current = read(file);
    if (!current.equals(wanted)) {
      write(file, current.isEmpty() ? wanted : current + "," + wanted);
    }
    for (Path child : CgroupDirectories.children(cgroup)) {
      try {
        replaceV1(child, wanted);
      } catch (IOException e) {
        if (Files.exists(child)) {
          throw e;
        }
      }
    }
    if (!current.equals(wanted)) {
      write(file, wanted);
    }
  }

  private static String read(Path file) throws IOException {
    try {
      return CgroupDirectories.read(file);
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": " + e, e);
    }
  }

  private static void write(Path file, String cpus) throws IOException {
    try {
      CgroupDirectories.write(file, cpus);
    } catch (IOException e) {
      throw new IOException("cannot write " + cpus.strip() + " into " + file + ": " + e, e);
    }
  }
}
