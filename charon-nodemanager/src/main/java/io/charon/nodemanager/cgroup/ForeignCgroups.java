/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds the cgroups that YARN's handlers or a container engine created for a container, by the
 * location of its first process. A cgroup belongs to the container if YARN named it
 * (HIERARCHY/CONTAINER_ID, in which Docker nests its own, or HIERARCHY/runc-CONTAINER_ID, which
 * runC creates), or if Docker created it: HASH below any parent (cgroup driver {@code cgroupfs}),
 * or docker-HASH.scope (driver {@code systemd}). A cgroup that contains this process never
 * qualifies, because a NodeManager and its children may run in Docker, too.
 */
public final class ForeignCgroups {
  private static final Pattern ENGINES =
      Pattern.compile("[0-9a-f]{64}|docker-[0-9a-f]{64}\\.scope");
  private static final String RUNC = "runc-";
  private static final String SELF = "self";

  private final CgroupLayout layout;

  /**
   * Creates a finder for this machine.
   *
   * @param layout a layout whose node path is YARN's hierarchy
   */
  public ForeignCgroups(CgroupLayout layout) {
    this.layout = layout;
  }

  /** Returns the layout of YARN's cgroups. */
  public CgroupLayout layout() {
    return layout;
  }

  /**
   * Returns the memory cgroups that YARN named after containers, whichever processes run in them.
   *
   * @return directory by container id
   * @throws IOException if they cannot be listed
   */
  public Map<String, Path> named() throws IOException {
    return CgroupDirectories.containers(layout.nodeDirectory(layout.memory()));
  }

  /**
   * Returns the current cgroups of a container; for a container that is starting, some may not
   * exist yet.
   *
   * @param process its first process
   * @return empty if the process is in no cgroup that belongs to the container alone
   */
  public Optional<AdoptedCgroup> find(String containerId, long process) {
    CgroupLayout.checkContainerId(containerId);
    Map<CgroupHierarchy, Path> found = new LinkedHashMap<>();
    boolean byEngine = false;
    for (CgroupHierarchy hierarchy : layout.hierarchies()) {
      Optional<Path> place = layout.directory(Long.toString(process), hierarchy);
      Path runcs = layout.nodeDirectory(hierarchy).resolve(RUNC + containerId);
      Optional<Path> engines =
          place
              .filter(inside -> inside.startsWith(runcs))
              .map(inside -> runcs)
              .or(() -> place.flatMap(inside -> engineCgroup(hierarchy, inside)));
      Path yarns = layout.nodeDirectory(hierarchy).resolve(containerId);
      place
          .filter(inside -> inside.startsWith(yarns))
          .map(inside -> yarns)
          .or(() -> engines)
          .filter(Files::isDirectory)
          .filter(directory -> !holdsThisProcess(hierarchy, directory))
          .ifPresent(directory -> found.put(hierarchy, directory));
      byEngine |= engines.isPresent();
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(new AdoptedCgroup(found, byEngine));
  }

  /**
   * Returns the topmost cgroup that Docker named, because names below it may have been chosen by
   * the container's own processes.
   */
  private static Optional<Path> engineCgroup(CgroupHierarchy hierarchy, Path place) {
    Path directory = hierarchy.mountPoint();
    for (Path segment : directory.relativize(place)) {
      directory = directory.resolve(segment);
      if (ENGINES.matcher(segment.toString()).matches()) {
        return Optional.of(directory);
      }
    }
    return Optional.empty();
  }

  private boolean holdsThisProcess(CgroupHierarchy hierarchy, Path directory) {
    return layout
        .directory(SELF, hierarchy)
        .filter(inside -> inside.startsWith(directory))
        .isPresent();
  }
}
