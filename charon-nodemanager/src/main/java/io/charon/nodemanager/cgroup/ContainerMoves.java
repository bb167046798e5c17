/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Moves the processes of promoted and demoted containers between the cgroups of the classes. */
final class ContainerMoves {
  /** Maximum number of passes over a container's processes while they are moved. */
  private static final int MAX_ROUNDS = 10;

  private final CgroupLayout layout;
  private final SharedCgroups shared;
  private final Function<String, List<Path>> directories;

  /**
   * Creates an instance for one node.
   *
   * @param directories the existing cgroups of a container, by its id
   */
  ContainerMoves(
      CgroupLayout layout, SharedCgroups shared, Function<String, List<Path>> directories) {
    this.layout = layout;
    this.shared = shared;
    this.directories = directories;
  }

  /**
   * Moves a container's processes into its existing cgroups of a class. A refusal in one hierarchy
   * does not prevent the move in the others.
   *
   * @return the first reason why processes are left; empty if none are
   */
  Optional<String> move(String id, ContainerClass to) {
    List<String> refusals = new ArrayList<>();
    for (CgroupHierarchy hierarchy : layout.hierarchies()) {
      Path target =
          CgroupFile.PROCS.path(layout.containerDirectory(hierarchy, to, id), hierarchy.version());
      for (Path source : others(hierarchy, id, to)) {
        moveProcesses(source, target).ifPresent(refusals::add);
      }
    }
    try {
      shared.enter(to, () -> processes(id));
      if (shared.leavesBehind(to, () -> processes(id))) {
        refusals.add("processes are left in the disk or pids cgroup of the other class");
      }
    } catch (IOException e) {
      refusals.add(e.toString());
    }
    return refusals.stream().findFirst();
  }

  /** Returns whether no process of a container is known to be in a cgroup of another class. */
  boolean isComplete(String id, ContainerClass wanted) {
    try {
      for (CgroupHierarchy hierarchy : layout.hierarchies()) {
        for (Path source : others(hierarchy, id, wanted)) {
          if (!processes(source).isEmpty()) {
            return false;
          }
        }
      }
      return !shared.leavesBehind(wanted, () -> processes(id));
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns whether a process of a container is in its memory cgroup of a class. */
  boolean hasArrived(String id, ContainerClass wanted) {
    try {
      return !processes(layout.containerDirectory(layout.memory(), wanted, id)).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Moves in several passes, because a process that forks during a pass leaves its child behind.
   */
  private static Optional<String> moveProcesses(Path source, Path target) {
    Optional<IOException> refusal = Optional.empty();
    try {
      for (int round = 0; round < MAX_ROUNDS; round++) {
        Set<Long> left = processes(source);
        if (left.isEmpty()) {
          return Optional.empty();
        }
        refusal = CgroupDirectories.enter(target, left);
      }
    } catch (IOException e) {
      refusal = Optional.of(e);
    }
    return Optional.of(
        "processes are left in " + source + refusal.map(e -> " (" + e + ")").orElse(""));
  }

  private List<Path> others(CgroupHierarchy hierarchy, String id, ContainerClass wanted) {
    List<Path> others = new ArrayList<>();
    for (ContainerClass other : ContainerClass.values()) {
      Path cgroup = layout.containerDirectory(hierarchy, other, id);
      if (other != wanted && Files.isDirectory(cgroup)) {
        others.add(cgroup);
      }
    }
    return others;
  }

  private Set<Long> processes(String id) throws IOException {
    Set<Long> processes = new TreeSet<>();
    for (Path cgroup : directories.apply(id)) {
      CgroupDirectories.addProcesses(cgroup, processes);
    }
    return processes;
  }

  private static Set<Long> processes(Path cgroup) throws IOException {
    Set<Long> processes = new TreeSet<>();
    CgroupDirectories.addProcesses(cgroup, processes);
    return processes;
  }
}
