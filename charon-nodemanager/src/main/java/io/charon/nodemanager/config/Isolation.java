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
 * Which component creates the cgroups of containers.
 *
 * @param makers the keys, with their values, by which YARN or a container engine creates them;
 *     empty: only Charon creates them
 * @param hierarchy the cgroup of each mount below which YARN creates them, such as /hadoop-yarn
 * @param taken controllers in whose hierarchies YARN's handlers place containers
 * @param engine whether a container engine may run containers; it gives them cgroups of its own in
 *     every hierarchy
 */
public record Isolation(
    List<String> makers, String hierarchy, Set<CgroupController> taken, boolean engine) {
  public Isolation {
    makers = List.copyOf(makers);
    taken = Set.copyOf(taken);
  }

  /** Returns the isolation in which Charon creates all cgroups. */
  public static Isolation own() {
    return new Isolation(List.of(), "/hadoop-yarn", Set.of(), false);
  }

  /** Returns whether YARN or a container engine creates cgroups, which Charon then adopts. */
  public boolean attaches() {
    return !makers.isEmpty();
  }

  /** Returns whether YARN sets CPU weights of containers, at their start and at each change. */
  public boolean yarnSetsWeights() {
    return taken.contains(CgroupController.CPU);
  }

  /**
   * Returns whether YARN or a container engine counts the memory of each container, so that Charon
   * cannot.
   */
  public boolean memoryCountedByOthers() {
    return engine || taken.contains(CgroupController.MEMORY);
  }
}
