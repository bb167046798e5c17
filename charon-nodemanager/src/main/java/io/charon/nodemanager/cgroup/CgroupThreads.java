/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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

  /**
   * Returns whether {@link #read} would find no thread; the first thread ends the search.
   *
   * @throws IOException naming the file that cannot be read
   */
  public boolean isEmpty() throws IOException {
    return isEmpty(cgroup);
  }

  private boolean isEmpty(Path directory) throws IOException {
    return of(directory).isEmpty() && !CgroupChildren.any(directory, child -> !isEmpty(child));
  }

  private void add(Path directory, Set<Long> threads) throws IOException {
    threads.addAll(of(directory));
    for (Path child : CgroupChildren.of(directory)) {
      add(child, threads);
    }
  }

  /** Returns the threads of one cgroup, without those below it. */
  private List<Long> of(Path directory) throws IOException {
    Path file = CgroupFile.THREADS.path(directory, version);
    try {
      return CgroupDirectories.readIfPresent(file)
          .map(ids -> ids.lines().map(Long::valueOf).toList())
          .orElse(List.of());
    } catch (IOException | NumberFormatException e) {
      throw new IOException("cannot read " + file + ": " + e, e);
    }
  }
}
