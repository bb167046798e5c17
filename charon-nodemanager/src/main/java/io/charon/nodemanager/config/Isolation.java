/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.nodemanager.cgroup.CgroupController;
import java.util.List;
import java.util.Set;

/**
 * Who makes the cgroups of containers.
 *
 * @param makers the keys, with their values, by which others do; empty: Charon alone makes them
 * @param hierarchy below which of a mount's cgroups YARN makes them, such as /hadoop-yarn
 * @param taken controllers in whose hierarchies YARN's handlers put containers
 * @param engine whether a container engine may run containers, which it puts into cgroups of its
 *     own in every hierarchy
 */
public record Isolation(
    List<String> makers, String hierarchy, Set<CgroupController> taken, boolean engine) {
  public Isolation {
    makers = List.copyOf(makers);
    taken = Set.copyOf(taken);
  }

  /** Charon makes them. */
  public static Isolation own() {
    return new Isolation(List.of(), "/hadoop-yarn", Set.of(), false);
  }

  /** Whether others make any, and Charon adopts them. */
  public boolean attaches() {
    return !makers.isEmpty();
  }

  /** Whether YARN gives containers CPU weights, at their start and with each change. */
  public boolean weighed() {
    return taken.contains(CgroupController.CPU);
  }

  /** Whether others count the memory of each container, so that Charon cannot. */
  public boolean counted() {
    return engine || taken.contains(CgroupController.MEMORY);
  }
}
