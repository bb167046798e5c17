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
 * Assigns CPUs and NUMA nodes to cgroups. Unlike the rest of {@link CgroupWriter}, it is also used
 * at run time, when the cores of best-effort change. Safe for many threads.
 */
public final class CpusetWriter {
  private final CgroupLayout layout;
  private final Optional<CpuSplit> split;
  private final WarningOnce warnings;
  private final CpuBandwidth.Writer writer;

  /** The cores to which best-effort is currently confined; overrides the operator's split. */
  private Optional<Cores> confined = Optional.empty();

  CpusetWriter(CgroupLayout layout, Optional<CpuSplit> split, WarningOnce warnings) {
    this(layout, split, warnings, CgroupDirectories::write);
  }

  /** Creates it with another writer; visible for tests. */
  CpusetWriter(
      CgroupLayout layout,
      Optional<CpuSplit> split,
      WarningOnce warnings,
      CpuBandwidth.Writer writer) {
    this.layout = layout;
    this.split = split;
    this.warnings = warnings;
    this.writer = writer;
    if (split.isPresent() && layout.hierarchy(CgroupController.CPUSET).isEmpty()) {
      warnings.warn("cpuset controller", "not mounted: the classes share all CPUs");
    }
  }

  /**
   * Fills a new v1 cpuset from its parent, because it is created empty and an empty one accepts no
   * process (ENOSPC).
   *
   * @throws IOException if it cannot be filled
   */
  public static void inherit(Path cgroup) throws IOException {
    inherit(cgroup, CgroupDirectories::write);
  }

  private static void inherit(Path cgroup, CpuBandwidth.Writer writer) throws IOException {
    for (CgroupFile file : new CgroupFile[] {CgroupFile.CPUSET_CPUS, CgroupFile.CPUSET_MEMS}) {
      Path own = file.path(cgroup, CgroupVersion.V1);
      if (CgroupDirectories.read(own).isEmpty()) {
        Path parent = file.path(cgroup.getParent(), CgroupVersion.V1);
        writer.write(own, CgroupDirectories.read(parent));
      }
    }
  }

  /**
   * Fills a container's or class's new v1 cpuset. The parent does not narrow meanwhile: the kernel
   * would refuse the CPUs that the parent no longer has (EACCES).
   *
   * @throws IOException if it cannot be filled
   */
  synchronized void fill(Path cgroup) throws IOException {
    inherit(cgroup, writer);
  }

  /** Assigns the CPUs of both class parents, and of containers that already run in them. */
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
        warnings.warn("cpuset.cpus", file + ": " + e + "; CPUs are left unchanged");
      }
    }
  }

  /** Returns why best-effort cannot be confined here, with the cure; empty if it can. */
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
   * Confines all best-effort containers, including those that start later, to some cores.
   *
   * @param cores the cores, at least one
   * @return the value now in force, as file=value
   * @throws IOException naming the file; some best-effort containers may then still run on other
   *     cores
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
   * Restores the CPUs that the operator gave best-effort, even if an earlier process confined it.
   *
   * @throws IOException naming the file, and how to restore them by hand
   */
  public synchronized void releaseBestEffort() throws IOException {
    confined = Optional.empty();
    Optional<CgroupHierarchy> hierarchy = layout.hierarchy(CgroupController.CPUSET);
    if (hierarchy.isEmpty() || !Files.exists(bestEffortFile(hierarchy.get()))) {
      return;
    }
    Path file = bestEffortFile(hierarchy.get());
    String wanted = "the parent's CPUs";
    try {
      wanted = wanted(hierarchy.get(), ContainerClass.BEST_EFFORT);
      replace(hierarchy.get(), bestEffort(hierarchy.get()), wanted);
    } catch (IOException e) {
      String list =
          wanted.isEmpty() ? "$(cat %s)".formatted(nodeCpus(hierarchy.get())) : "'" + wanted + "'";
      throw new IOException(
          "best-effort may still be confined to some cores: %s; to release it: echo %s > %s"
              .formatted(e.getMessage(), list, file),
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
    return read(nodeCpus(hierarchy));
  }

  /** Returns the file with the CPUs that the node's cgroup may use. */
  private Path nodeCpus(CgroupHierarchy hierarchy) {
    CgroupFile file =
        hierarchy.version() == CgroupVersion.V1
            ? CgroupFile.CPUSET_CPUS
            : CgroupFile.CPUSET_EFFECTIVE_CPUS;
    return file.path(layout.nodeDirectory(hierarchy), hierarchy.version());
  }

  /**
   * Sets the CPUs of a class. On v2 an empty list means that of the parent, so containers without
   * their own list follow. Where the kernel does not accept it, because processes run there
   * (ENOSPC), the parent's own list replaces it.
   */
  private void replace(CgroupHierarchy hierarchy, Path parent, String wanted) throws IOException {
    if (hierarchy.version() == CgroupVersion.V1) {
      replaceV1(parent, wanted);
      return;
    }
    Path file = CgroupFile.CPUSET_CPUS.path(parent, CgroupVersion.V2);
    if (read(file).equals(wanted)) {
      return;
    }
    try {
      write(file, wanted + "\n");
    } catch (IOException e) {
      if (!wanted.isEmpty()) {
        throw e;
      }
      write(file, read(nodeCpus(hierarchy)) + "\n");
    }
  }

  /**
   * Widens the cgroup, changes its children and then narrows it, because a v1 cgroup must always
   * contain its children's CPUs. A child that is removed meanwhile is skipped.
   */
  private void replaceV1(Path cgroup, String wanted) throws IOException {
    Path file = CgroupFile.CPUSET_CPUS.path(cgroup, CgroupVersion.V1);
    String current = read(file);
    if (!current.equals(wanted)) {
      write(file, current.isEmpty() ? wanted : current + "," + wanted);
    }
    for (Path child : CgroupChildren.of(cgroup)) {
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

  private void write(Path file, String cpus) throws IOException {
    try {
      writer.write(file, cpus);
    } catch (IOException e) {
      throw new IOException("cannot write " + cpus.strip() + " into " + file + ": " + e, e);
    }
  }
}
