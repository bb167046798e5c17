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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a cgroup's memory that memory.low really protects when memory is short at a boundary:
 * at most its own use and value, and at most its share of what the cgroups above it are granted
 * (cgroup v2, effective_protection() in the kernel). What {@code memory_recursiveprot} may add to
 * that is left out. One instance reads each cgroup once.
 */
final class EffectiveProtection {
  private final Path top;
  private final Map<Path, Long> values = new HashMap<>();
  private final Map<Path, Long> claims = new HashMap<>();

  /**
   * Creates an instance that has read nothing.
   *
   * @param mountPoint where cgroup v2 is mounted
   * @param boundary the cgroup whose limit is reached; empty for the whole machine
   */
  EffectiveProtection(Path mountPoint, Optional<Path> boundary) {
    // In a cgroup namespace the mount point is an ordinary cgroup, below others.
    boolean namespace = Files.exists(file(mountPoint, CgroupFile.MEMORY_LOW));
    this.top = boundary.orElse(namespace ? mountPoint.getParent() : mountPoint);
  }

  /** Computes with a value of memory.low that is not written yet. */
  void assume(Path cgroup, long bytes) {
    values.put(cgroup, bytes);
  }

  /**
   * Returns the highest of this cgroup and those above it that is granted less than an amount;
   * empty if all are granted enough, or if it is not below the boundary.
   */
  Optional<Path> cut(Path cgroup, long bytes) throws IOException {
    List<Path> path = new ArrayList<>();
    for (Path each = cgroup; each.startsWith(top) && !each.equals(top); each = each.getParent()) {
      path.add(0, each);
    }
    for (Path each : path) {
      if (bytes(each) < bytes) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Returns the protected part of a cgroup below the boundary. */
  long bytes(Path cgroup) throws IOException {
    Path parent = cgroup.getParent();
    if (parent.equals(top)) {
      return low(cgroup);
    }
    long granted = bytes(parent);
    long claimed = 0;
    for (Path sibling : CgroupChildren.of(parent)) {
      claimed = MemoryAmount.sum(claimed, claim(sibling));
    }
    long claim = claim(cgroup);
    return claimed <= granted ? claim : (long) ((double) claim * granted / claimed);
  }

  private long claim(Path cgroup) throws IOException {
    Long known = claims.get(cgroup);
    if (known == null) {
      long low = low(cgroup);
      known =
          low == 0 ? 0 : Math.min(low, MemoryAmount.read(file(cgroup, CgroupFile.MEMORY_USAGE)));
      claims.put(cgroup, known);
    }
    return known;
  }

  private long low(Path cgroup) throws IOException {
    Long assumed = values.get(cgroup);
    return assumed == null
        ? MemoryAmount.read(file(cgroup, CgroupFile.MEMORY_LOW))
        : assumed.longValue();
  }

  private static Path file(Path cgroup, CgroupFile file) {
    return file.path(cgroup, CgroupVersion.V2);
  }
}
