/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import java.util.List;

/**
 * One container start.
 *
 * @param containerId id of the container
 * @param millis time from the call of the executor to the first instruction of the container's
 *     command
 * @param cgroups lines of the container's {@code /proc/self/cgroup} at that instruction
 */
record Launch(String containerId, double millis, List<String> cgroups) {
  /** Copies the list. */
  Launch {
    cgroups = List.copyOf(cgroups);
  }

  /**
   * Returns the number of hierarchies in which the container was in a cgroup of its own.
   *
   * @param parent path of that cgroup's parent below the mount points
   */
  long countHierarchiesBelow(String parent) {
    String own = ":" + parent + "/" + containerId;
    return cgroups.stream().filter(line -> line.endsWith(own)).count();
  }
}
