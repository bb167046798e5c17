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
 * Finds the cgroups that YARN's handlers or Docker made for a container, by where its first process
 * is. A cgroup is the container's if YARN named it so (HIERARCHY/CONTAINER_ID, in which Docker
 * nests its own), or if Docker made it: HASH below any parent (cgroup driver {@code cgroupfs}), or
 * docker-HASH.scope (driver {@code systemd}). Never one that this process is in: a NodeManager may
 * run in Docker, too, and so does what it starts.
 */
public final class ForeignCgroups {
  private static final Pattern ENGINES =
      Pattern.compile("[0-9a-f]{64}|docker-[0-9a-f]{64}\\.scope");
  private static final String SELF = "self";

  private final CgroupLayout layout;

  /**
   * Of this machine.
   *
   * @param layout whose node path is YARN's hierarchy
   */
  public ForeignCgroups(CgroupLayout layout) {
    this.layout = layout;
  }

  /** Where YARN has its cgroups. */
  public CgroupLayout layout() {
    return layout;
  }

  /**
   * The memory cgroups that YARN named after containers, whoever runs in them.
   *
   * @return by container id
   * @throws IOException if they cannot be listed
   */
  public Map<String, Path> named() throws IOException {
    return CgroupDirectories.containers(layout.nodeDirectory(layout.memory()));
  }

  /**
   * The cgroups of a container, as they are now: of one that starts, some may be missing yet.
   *
   * @param process its first one
   * @return nothing if it is in none that is the container's alone
   */
  public Optional<AdoptedCgroup> find(String containerId, long process) {
    CgroupLayout.checkContainerId(containerId);
    Map<CgroupHierarchy, Path> found = new LinkedHashMap<>();
    boolean byEngine = false;
    for (CgroupHierarchy hierarchy : layout.hierarchies()) {
      Optional<Path> place = layout.directory(Long.toString(process), hierarchy);
      Optional<Path> engines = place.flatMap(inside -> engines(hierarchy, inside));
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

  /** The topmost that Docker names: what is below may have been named by who runs in it. */
  private static Optional<Path> engines(CgroupHierarchy hierarchy, Path place) {
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
