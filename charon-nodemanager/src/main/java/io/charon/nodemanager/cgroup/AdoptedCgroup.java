/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The cgroups that somebody else made for a container and that Charon reads and sets, but neither
 * makes nor removes.
 *
 * @param directories by hierarchy; at least one
 * @param byEngine whether a container engine started its processes, so that they inherit nothing of
 *     what {@code container-executor} was started with
 */
public record AdoptedCgroup(Map<CgroupHierarchy, Path> directories, boolean byEngine) {
  public AdoptedCgroup {
    directories = Map.copyOf(directories);
  }

  /** Where its memory is counted; nothing if nobody counts it apart. */
  public Optional<Path> memory() {
    return directory(CgroupController.MEMORY)
        .filter(AdoptedCgroup::countsMemory)
        .map(Map.Entry::getValue);
  }

  /** On version 2 a controller works only where somebody enabled it. */
  private static boolean countsMemory(Map.Entry<CgroupHierarchy, Path> place) {
    return Files.exists(CgroupFile.MEMORY_USAGE.path(place.getValue(), place.getKey().version()));
  }

  /** Where a controller is, with the hierarchy. */
  Optional<Map.Entry<CgroupHierarchy, Path>> directory(CgroupController controller) {
    return directories.entrySet().stream().filter(one -> one.getKey().has(controller)).findFirst();
  }

  /** Whether one of them is still there. */
  public boolean exists() {
    return directories.values().stream().anyMatch(Files::isDirectory);
  }

  /** Whether one of them is one of the others, or above or below it. */
  public boolean overlaps(AdoptedCgroup others) {
    return directories.values().stream()
        .anyMatch(
            mine ->
                others.directories.values().stream()
                    .anyMatch(other -> mine.startsWith(other) || other.startsWith(mine)));
  }

  /**
   * The processes in them and below.
   *
   * @throws IOException naming the file, if one that exists cannot be read
   */
  public Set<Long> processes() throws IOException {
    Set<Long> processes = new TreeSet<>();
    for (Path directory : directories.values()) {
      CgroupDirectories.addProcesses(directory, processes);
    }
    return processes;
  }
}
