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

/**
 * The threads of one cgroup and of all cgroups below it.
 *
 * @param cgroup its directory
 * @param version the version whose file names it uses
 */
public record CgroupThreads(Path cgroup, CgroupVersion version) {
  /**
   * Returns the current thread ids in ascending order; empty if the cgroup does not exist.
   *
   * @throws IOException naming the file that cannot be read
   */
  public Set<Long> read() throws IOException {
    Set<Long> threads = new TreeSet<>();
    add(cgroup, threads);
    return threads;
  }

  private void add(Path directory, Set<Long> threads) throws IOException {
    Path file = CgroupFile.THREADS.path(directory, version);
    try {
      Optional<String> ids = CgroupDirectories.readIfPresent(file);
      if (ids.isPresent()) {
        ids.get().lines().map(Long::valueOf).forEach(threads::add);
      }
    } catch (IOException | NumberFormatException e) {
      throw new IOException("cannot read " + file + ": " + e, e);
    }
    for (Path child : CgroupDirectories.children(directory)) {
      add(child, threads);
    }
  }
}
