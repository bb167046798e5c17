/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.util.Set;

/**
 * Result of the sweep at the start for cgroups of earlier NodeManagers.
 *
 * @param removed ids of containers that had no process left and whose cgroups are gone now
 * @param populated ids of containers that still run
 */
public record Sweep(Set<String> removed, Set<String> populated) {
  public Sweep {
    removed = Set.copyOf(removed);
    populated = Set.copyOf(populated);
  }
}
