/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * The memory cgroup that represents one node.
 *
 * @param path path below the controllers' mount points
 * @param directory directory of the cgroup in the hierarchy with the memory controller
 * @param version2 whether the hierarchy is cgroup v2
 */
public record NodeCgroup(String path, Path directory, boolean version2) {
  private static final Set<String> VERSION_1_KEYS =
      Set.of("total_inactive_anon", "total_active_anon", "total_unevictable");
  private static final Set<String> VERSION_2_KEYS =
      Set.of("inactive_anon", "active_anon", "unevictable");

  /**
   * Returns the anonymous, shared and unevictable memory of the node, bytes: memory that cannot be
   * dropped, without the page cache of files.
   *
   * @throws IOException if the statistics cannot be read
   */
  public long workingSetBytes() throws IOException {
    return workingSet(Files.readString(directory.resolve("memory.stat")), version2);
  }

  static long workingSet(String memoryStat, boolean version2) {
    Set<String> keys = version2 ? VERSION_2_KEYS : VERSION_1_KEYS;
    return memoryStat
        .lines()
        .map(line -> line.split(" ", -1))
        .filter(fields -> fields.length == 2 && keys.contains(fields[0]))
        .mapToLong(fields -> Long.parseLong(fields[1]))
        .sum();
  }
}
