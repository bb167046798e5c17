/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The part of {@link CgroupWriter} that keeps the kernel from reclaiming containers that must stay
 * fast (Charon paper, section 3.3: "bypass swapping"), on cgroup v2 with memory.min. On v1 there is
 * no such file, and this class does nothing.
 *
 * <p>The kernel grants a cgroup at most what its parent is granted, so both parents carry the sum
 * of their children. The sum is read from the children each time: a restart, a failed write or a
 * container that went without us leaves nothing to correct. See docs/reclaim-bypass.md.
 */
final class ReclaimBypass {
  /** memory.min of a cgroup that nothing of is ever reclaimed. */
  private static final String ALL = "max";

  private final CgroupLayout layout;
  private final WarningOnce warnings;

  ReclaimBypass(CgroupLayout layout, WarningOnce warnings) {
    this.layout = layout;
    this.warnings = warnings;
  }

  /**
   * Up to this much of the container's memory, anonymous and file pages alike, stays in memory.
   *
   * @param bytes at least 0; 0 takes the protection back
   */
  synchronized void protect(String id, ContainerClass containerClass, long bytes) {
    if (layout.version() == CgroupVersion.V1) {
      return;
    }
    try {
      set(layout.containerDirectory(layout.memory(), containerClass, id), bytes);
    } catch (IOException e) {
      warn(e);
    }
    updateParents();
  }

  /** Gives both classes and the node the sum of what their children have now. */
  synchronized void updateParents() {
    if (layout.version() == CgroupVersion.V1) {
      return;
    }
    try {
      for (ContainerClass containerClass : ContainerClass.values()) {
        setToSumOfChildren(layout.classDirectory(layout.memory(), containerClass));
      }
      setToSumOfChildren(layout.nodeDirectory(layout.memory()));
    } catch (IOException e) {
      warn(e);
    }
  }

  private void setToSumOfChildren(Path parent) throws IOException {
    long sum = 0;
    for (Path child : CgroupDirectories.children(parent)) {
      long bytes = get(child);
      sum = bytes > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + bytes;
    }
    set(parent, sum);
  }

  private static Path file(Path cgroup) {
    return CgroupFile.MEMORY_MIN.path(cgroup, CgroupVersion.V2);
  }

  private static long get(Path cgroup) throws IOException {
    Optional<String> text = CgroupDirectories.readIfPresent(file(cgroup));
    try {
      return text.map(value -> value.equals(ALL) ? Long.MAX_VALUE : Long.parseLong(value))
          .orElse(0L);
    } catch (NumberFormatException e) {
      throw new IOException(file(cgroup) + " holds '" + text.orElseThrow() + "'", e);
    }
  }

  private static void set(Path cgroup, long bytes) throws IOException {
    if (get(cgroup) != bytes) {
      CgroupDirectories.write(
          file(cgroup), (bytes == Long.MAX_VALUE ? ALL : Long.toString(bytes)) + "\n");
    }
  }

  private void warn(IOException e) {
    warnings.warn("memory.min", e + "; memory of ApplicationMasters may be reclaimed");
  }
}
