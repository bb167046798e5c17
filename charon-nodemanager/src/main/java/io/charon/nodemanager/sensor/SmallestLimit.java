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
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the effective memory limit of a cgroup: the smallest of its own limit and those above it.
 */
final class SmallestLimit implements Closeable {
  private final Path memoryCgroup;
  private final List<PseudoFile> limits = new ArrayList<>();

  SmallestLimit(Path memoryCgroup, CgroupVersion version) {
    this.memoryCgroup = memoryCgroup;
    Path cgroup = memoryCgroup;
    Path limit = CgroupFile.MEMORY_LIMIT.path(cgroup, version);
    do {
      limits.add(new PseudoFile(limit));
      cgroup = cgroup.getParent();
      limit = CgroupFile.MEMORY_LIMIT.path(cgroup, version);
    } while (Files.exists(limit)); // the root of v2 has none
  }

  /** Returns the limit in bytes; without a limit, far more than any machine has. */
  long read() throws IOException {
    long smallest = Long.MAX_VALUE;
    for (PseudoFile limit : limits) {
      limit.read();
      smallest = Math.min(smallest, limit.number());
    }
    if (smallest <= 0) {
      throw new IOException(memoryCgroup + " or a cgroup above it has a memory limit of 0 bytes");
    }
    return smallest;
  }

  @Override
  public void close() throws IOException {
    for (PseudoFile limit : limits) {
      limit.close();
    }
  }
}
