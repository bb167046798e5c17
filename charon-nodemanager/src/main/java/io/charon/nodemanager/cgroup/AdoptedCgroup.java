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
 * The cgroups that YARN or a container engine created for a container. Charon reads them and sets
 * values in them, but neither creates nor removes them.
 *
 * @param directories directory by hierarchy; at least one
 * @param byEngine whether a container engine started the container's processes, so that they
 *     inherit nothing from {@code container-executor}
 */
public record AdoptedCgroup(Map<CgroupHierarchy, Path> directories, boolean byEngine) {
  public AdoptedCgroup {
    directories = Map.copyOf(directories);
  }

  /**
   * Returns the cgroup that counts the container's memory; empty if its memory is not counted
   * separately.
   */
  public Optional<Path> memory() {
    return directory(CgroupController.MEMORY)
        .filter(AdoptedCgroup::countsMemory)
        .map(Map.Entry::getValue);
  }

  /** On version 2 the files of a controller exist only where the controller was enabled. */
  private static boolean countsMemory(Map.Entry<CgroupHierarchy, Path> place) {
    return Files.exists(CgroupFile.MEMORY_USAGE.path(place.getValue(), place.getKey().version()));
  }

  /**
   * Returns the hierarchy and the directory of a controller; empty if none of the cgroups has it.
   */
  Optional<Map.Entry<CgroupHierarchy, Path>> directory(CgroupController controller) {
    return directories.entrySet().stream().filter(one -> one.getKey().has(controller)).findFirst();
  }

  /** Returns whether at least one of the directories still exists. */
  public boolean exists() {
    return directories.values().stream().anyMatch(Files::isDirectory);
  }

  /** Returns whether a directory of one equals, contains or is inside a directory of the other. */
  public boolean overlaps(AdoptedCgroup others) {
    return directories.values().stream()
        .anyMatch(
            mine ->
                others.directories.values().stream()
                    .anyMatch(other -> mine.startsWith(other) || other.startsWith(mine)));
  }

  /**
   * Returns the processes in the cgroups and below.
   *
   * @throws IOException naming the file, if an existing file cannot be read
   */
  public Set<Long> processes() throws IOException {
    Set<Long> processes = new TreeSet<>();
    for (Path directory : directories.values()) {
      CgroupDirectories.addProcesses(directory, processes);
    }
    return processes;
  }
}
