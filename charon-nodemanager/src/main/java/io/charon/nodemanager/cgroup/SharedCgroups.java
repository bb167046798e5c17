/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The cgroups that all containers of a class share: those of version 1 for disks, whose limits do
 * not cover a whole tree there, and for the number of processes, which is limited for the class
 * only.
 */
final class SharedCgroups {
  /** Number of passes; a process that forks during the first pass leaves its child behind. */
  private static final int PASSES = 2;

  private final CgroupLayout layout;

  SharedCgroups(CgroupLayout layout) {
    this.layout = layout;
  }

  /** Returns the files into which a starting process writes its pid. */
  List<Path> launchesInto(ContainerClass containerClass) {
    return containerClass == ContainerClass.BEST_EFFORT
        ? procs(containerClass).flatMap(candidates -> candidates.stream().limit(1)).toList()
        : List.of();
  }

  /** Returns the files of each hierarchy, in the order of preference. */
  private Stream<List<Path>> procs(ContainerClass containerClass) {
    return layout.sharedDirectories(containerClass).stream()
        .map(
            directories ->
                directories.stream()
                    .filter(Files::isDirectory)
                    .map(directory -> CgroupFile.PROCS.path(directory, CgroupVersion.V1))
                    .toList());
  }

  /** Lists the processes of a container. */
  @FunctionalInterface
  interface Processes {
    Set<Long> list() throws IOException;
  }

  /** Moves the processes of a container that was promoted or demoted. */
  void enter(ContainerClass containerClass, Processes processes) throws IOException {
    List<Path> targets =
        procs(containerClass)
            .flatMap(candidates -> candidates.stream().filter(Files::isWritable).limit(1))
            .toList();
    for (Path target : targets) {
      for (int pass = 0; pass < PASSES; pass++) {
        var unused = CgroupDirectories.enter(target, processes.list()); // see leavesBehind
      }
    }
  }

  /**
   * Returns whether a process of a container is in the cgroup of another class. The container's
   * processes are listed last, so that one that ends meanwhile does not count. Best-effort is not
   * left behind where it can enter no cgroup of its own, as at its start.
   */
  boolean leavesBehind(ContainerClass wanted, Processes processes) throws IOException {
    List<List<Path>> own = procs(wanted).toList();
    Set<Long> elsewhere = new TreeSet<>();
    for (ContainerClass other : ContainerClass.values()) {
      List<List<Path>> others = other == wanted ? List.of() : procs(other).toList();
      for (int hierarchy = 0; hierarchy < others.size(); hierarchy++) {
        if (wanted == ContainerClass.PRODUCTION
            || own.get(hierarchy).stream().anyMatch(Files::isWritable)) {
          for (Path shared : others.get(hierarchy)) {
            CgroupDirectories.readIfPresent(shared)
                .ifPresent(text -> text.lines().map(Long::valueOf).forEach(elsewhere::add));
          }
        }
      }
    }
    if (elsewhere.isEmpty()) {
      return false;
    }
    elsewhere.retainAll(processes.list());
    return !elsewhere.isEmpty();
  }
}
