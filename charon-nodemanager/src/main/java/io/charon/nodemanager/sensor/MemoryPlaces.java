/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The cgroups in which the memory of a node's containers is counted. Not thread-safe. */
public interface MemoryPlaces {
  /** Returns the layout whose node path contains all of these cgroups. */
  CgroupLayout layout();

  /**
   * Returns the total memory of best-effort.
   *
   * @throws IOException naming the file, if an existing cgroup cannot be read
   */
  CgroupUse bestEffort() throws IOException;

  /**
   * Returns whether any best-effort container is running.
   *
   * @throws IOException naming the file, if it cannot be read
   */
  boolean bestEffortRuns() throws IOException;

  /**
   * Returns the memory cgroup of a production container; empty if its memory is not counted
   * separately.
   */
  Optional<Path> production(String containerId);

  /** Returns whether a cgroup belongs to containers, or is below one that does. */
  boolean isContainers(Path cgroup);
}
