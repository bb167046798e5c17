/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.PseudoFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the effective memory limit of a cgroup: the smallest of its own limit and those above it,
 * and to which of them it belongs.
 */
final class SmallestLimit implements Closeable {
  /**
   * Lower bound of the values that mean no limit: version 1 reports a little less than the maximum.
   */
  private static final long NO_LIMIT = Long.MAX_VALUE / 2;

  private final Path memoryCgroup;
  private final Map<Path, PseudoFile> limits = new LinkedHashMap<>();

  /**
   * The smallest limit.
   *
   * @param bytes the limit; without one, far more than any machine has
   * @param cgroup the cgroup whose memory it limits: the highest one that has it; without a limit
   *     the cgroup itself
   */
  record Found(long bytes, Path cgroup) {}

  SmallestLimit(Path memoryCgroup, CgroupVersion version) {
    this.memoryCgroup = memoryCgroup;
    Path cgroup = memoryCgroup;
    Path limit = CgroupFile.MEMORY_LIMIT.path(cgroup, version);
    do {
      limits.put(cgroup, new PseudoFile(limit));
      cgroup = cgroup.getParent();
      limit = CgroupFile.MEMORY_LIMIT.path(cgroup, version);
    } while (Files.exists(limit)); // the root of v2 has none
  }

  /** Reads the limits. */
  Found read() throws IOException {
    Found smallest = new Found(Long.MAX_VALUE, memoryCgroup);
    for (Map.Entry<Path, PseudoFile> limit : limits.entrySet()) {
      limit.getValue().read();
      long bytes = limit.getValue().number();
      if (bytes < smallest.bytes() || (bytes == smallest.bytes() && bytes < NO_LIMIT)) {
        smallest = new Found(bytes, limit.getKey());
      }
    }
    if (smallest.bytes() <= 0) {
      throw new IOException(memoryCgroup + " or a cgroup above it has a memory limit of 0 bytes");
    }
    return smallest;
  }

  @Override
  public void close() throws IOException {
    for (PseudoFile limit : limits.values()) {
      limit.close();
    }
  }
}
