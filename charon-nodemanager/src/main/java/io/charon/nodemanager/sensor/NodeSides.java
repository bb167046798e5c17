/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupPatterns;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Which cgroups the two sides of a node are: best-effort is one parent cgroup; the foreground is
 * everything else, or the cgroups that match the operator's patterns.
 */
public final class NodeSides {
  private final CgroupLayout layout;
  private final String bestEffortPath;
  private final String foregroundParent;
  private final List<String> foregroundPatterns;

  /**
   * The sides of any cgroups.
   *
   * @param layout the machine's hierarchies
   * @param bestEffortPath the parent of best-effort below the mount points, such as /charon/x
   * @param foregroundPatterns cgroup paths such as /machine.slice/*; empty for everything that is
   *     not best-effort
   * @param foregroundParent the cgroup whose signals stand for the foreground where it is
   *     everything
   */
  public NodeSides(
      CgroupLayout layout,
      String bestEffortPath,
      List<String> foregroundPatterns,
      String foregroundParent) {
    this.layout = layout;
    this.bestEffortPath = bestEffortPath;
    this.foregroundPatterns = List.copyOf(foregroundPatterns);
    this.foregroundParent = foregroundParent;
  }

  /**
   * The sides of a NodeManager's node; where the foreground is everything, YARN's production
   * containers stand for it.
   *
   * @param layout where the containers are
   * @param foregroundPatterns the operator's, or none
   */
  public static NodeSides of(CgroupLayout layout, List<String> foregroundPatterns) {
    return new NodeSides(
        layout,
        layout.classPath(ContainerClass.BEST_EFFORT),
        foregroundPatterns,
        layout.classPath(ContainerClass.PRODUCTION));
  }

  /** Whether the foreground is not simply everything that is not best-effort. */
  public boolean isNarrowed() {
    return !foregroundPatterns.isEmpty();
  }

  /** Who the foreground is, for people. */
  public String foreground() {
    return isNarrowed() ? String.join(", ", foregroundPatterns) : "the node minus best-effort";
  }

  /** The parent of best-effort in a hierarchy. */
  public Path bestEffort(CgroupHierarchy hierarchy) {
    return hierarchy.mountPoint().resolve(bestEffortPath.substring(1));
  }

  /**
   * The foreground's cgroups in a hierarchy, looked up now; where it is everything, the one that
   * stands for it.
   */
  public List<Path> foreground(CgroupHierarchy hierarchy) {
    if (isNarrowed()) {
      return new CgroupPatterns(hierarchy.mountPoint(), foregroundPatterns).find();
    }
    Path parent = hierarchy.mountPoint().resolve(foregroundParent.substring(1));
    return Files.isDirectory(parent) ? List.of(parent) : List.of();
  }

  /** The hierarchy that holds memory. */
  public CgroupHierarchy memory() {
    return layout.memory();
  }

  /** The v2 hierarchy, which counts CPU time and pressure for every cgroup, if there is one. */
  public Optional<CgroupHierarchy> unified() {
    return layout.hierarchies().stream()
        .filter(hierarchy -> hierarchy.version() == CgroupVersion.V2)
        .findFirst();
  }

  /**
   * The hierarchy by which perf events know cgroups, if there is one: that of v1 where perf_event
   * is mounted so, else v2, where every cgroup has it.
   */
  public Optional<CgroupHierarchy> perfEvents() {
    return layout.hierarchy(CgroupController.PERF_EVENT).or(this::unified);
  }

  /** The hierarchy with a controller, if there is one. */
  public Optional<CgroupHierarchy> hierarchy(CgroupController controller) {
    return layout.hierarchy(controller);
  }
}
