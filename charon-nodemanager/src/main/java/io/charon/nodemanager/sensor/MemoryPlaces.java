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

/** Where the memory of a node's containers is counted. For one thread. */
public interface MemoryPlaces {
  /** Whose node path holds all of them. */
  CgroupLayout layout();

  /**
   * What best-effort holds altogether.
   *
   * @throws IOException naming the file, if a cgroup that exists cannot be read
   */
  CgroupUse bestEffort() throws IOException;

  /**
   * Whether any of best-effort runs.
   *
   * @throws IOException naming the file, if that cannot be read
   */
  boolean bestEffortRuns() throws IOException;

  /** Where that of a production container is; nothing if it is not counted apart. */
  Optional<Path> production(String containerId);

  /** Whether a cgroup is one of containers, or below. */
  boolean isContainers(Path cgroup);
}
