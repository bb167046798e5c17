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
 * The cgroups of the two sides of a node. Best-effort is one parent cgroup; the foreground is
 * everything else, or the cgroups that match the operator's patterns.
 */
public final class NodeSides {
  private final CgroupLayout layout;
  private final String bestEffortPath;
  private final String foregroundParent;
  private final List<String> foregroundPatterns;

  /**
   * Creates the sides for arbitrary cgroups.
   *
   * @param layout the machine's hierarchies
   * @param bestEffortPath the parent of best-effort below the mount points, such as /charon/x
   * @param foregroundPatterns cgroup paths such as /machine.slice/*; empty for everything that is
   *     not best-effort
   * @param foregroundParent the cgroup whose signals represent the foreground if it is everything
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
   * Creates the sides of a NodeManager's node; if the foreground is everything, YARN's production
   * containers represent it.
   *
   * @param layout the layout of the containers' cgroups
   * @param foregroundPatterns the operator's patterns; may be empty
   */
  public static NodeSides of(CgroupLayout layout, List<String> foregroundPatterns) {
    return new NodeSides(
        layout,
        layout.classPath(ContainerClass.BEST_EFFORT),
        foregroundPatterns,
        layout.classPath(ContainerClass.PRODUCTION));
  }

  /** Returns whether patterns restrict the foreground to some cgroups. */
  public boolean isNarrowed() {
    return !foregroundPatterns.isEmpty();
  }

  /** Returns a description of the foreground for display. */
  public String foreground() {
    return isNarrowed() ? String.join(", ", foregroundPatterns) : "the node minus best-effort";
  }

  /** Returns the parent of best-effort in a hierarchy. */
  public Path bestEffort(CgroupHierarchy hierarchy) {
    return hierarchy.mountPoint().resolve(bestEffortPath.substring(1));
  }

  /**
   * Returns the foreground's current cgroups in a hierarchy; if the foreground is everything, the
   * cgroup that represents it.
   */
  public List<Path> foreground(CgroupHierarchy hierarchy) {
    if (isNarrowed()) {
      return new CgroupPatterns(hierarchy.mountPoint(), foregroundPatterns).find();
    }
    Path parent = hierarchy.mountPoint().resolve(foregroundParent.substring(1));
    return Files.isDirectory(parent) ? List.of(parent) : List.of();
  }

  /** Returns the hierarchy with the memory controller. */
  public CgroupHierarchy memory() {
    return layout.memory();
  }

  /**
   * Returns the v2 hierarchy, which counts CPU time and pressure for every cgroup; empty if there
   * is none.
   */
  public Optional<CgroupHierarchy> unified() {
    return layout.hierarchies().stream()
        .filter(hierarchy -> hierarchy.version() == CgroupVersion.V2)
        .findFirst();
  }

  /**
   * Returns the hierarchy by which perf events identify cgroups: that of v1 if perf_event is
   * mounted there, otherwise v2, where every cgroup has it; empty if there is neither.
   */
  public Optional<CgroupHierarchy> perfEvents() {
    return layout.hierarchy(CgroupController.PERF_EVENT).or(this::unified);
  }

  /** Returns the hierarchy with a controller; empty if there is none. */
  public Optional<CgroupHierarchy> hierarchy(CgroupController controller) {
    return layout.hierarchy(controller);
  }
}
