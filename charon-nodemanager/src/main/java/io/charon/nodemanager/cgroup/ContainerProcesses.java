/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Lists the processes of a container by its memory cgroup. */
public final class ContainerProcesses {
  private final CgroupLayout layout;

  /** Creates a lister for the containers whose cgroups are in {@code layout}. */
  public ContainerProcesses(CgroupLayout layout) {
    this.layout = layout;
  }

  /**
   * Returns all processes of one container, including those of nested cgroups.
   *
   * @param process any of its processes
   * @return empty if that process is in no container's cgroup: it has not been moved yet, could not
   *     be moved, or has ended
   */
  public Optional<Set<Long>> of(long process) {
    Optional<Path> container = layout.memoryDirectory(process).flatMap(layout::containerAbove);
    if (container.isEmpty()) {
      return Optional.empty();
    }
    Set<Long> processes = new TreeSet<>();
    try {
      CgroupDirectories.addProcesses(container.get(), processes);
    } catch (IOException e) {
      return Optional.empty();
    }
    return processes.contains(process) ? Optional.of(processes) : Optional.empty();
  }
}
