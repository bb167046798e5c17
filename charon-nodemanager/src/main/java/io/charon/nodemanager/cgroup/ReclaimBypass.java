/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Protects containers that must stay fast from reclaim, for {@link CgroupWriter} (Charon paper,
 * section 3.3: "bypass swapping"). It uses memory.min on cgroup v2; v1 has no such file, and this
 * class does nothing there.
 *
 * <p>The effective protection of a cgroup is limited by that of its parent, so both parents carry
 * the sum of their children. The sum is read from the children each time; therefore a restart, a
 * failed write or a container that was removed by other means needs no correction. See
 * docs/reclaim-bypass.md.
 */
final class ReclaimBypass {
  private final CgroupLayout layout;
  private final WarningOnce warnings;

  ReclaimBypass(CgroupLayout layout, WarningOnce warnings) {
    this.layout = layout;
    this.warnings = warnings;
  }

  /**
   * Protects up to this amount of the container's memory, both anonymous and file pages.
   *
   * @param bytes at least 0; 0 removes the protection
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

  /** Sets both classes and the node to the current sum of their children. */
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
    for (Path child : CgroupChildren.of(parent)) {
      sum = MemoryAmount.sum(sum, MemoryAmount.read(file(child)));
    }
    set(parent, sum);
  }

  private static Path file(Path cgroup) {
    return CgroupFile.MEMORY_MIN.path(cgroup, CgroupVersion.V2);
  }

  private static void set(Path cgroup, long bytes) throws IOException {
    Path file = file(cgroup);
    if (MemoryAmount.read(file) != bytes) {
      MemoryAmount.write(file, bytes);
    }
  }

  private void warn(IOException e) {
    warnings.warn("memory.min", e + "; memory of ApplicationMasters may be reclaimed");
  }
}
