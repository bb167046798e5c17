/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.nodemanager.cgroup.CgroupLayout;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A node below a directory, with production containers only. */
final class ProductionNode {
  private ProductionNode() {}

  static NodeMechanisms.Machine machine(Path root, CgroupLayout layout) {
    return new NodeMechanisms.Machine(
        root.resolve("proc"),
        root.resolve("sys"),
        Optional.of(layout),
        Optional.of(layout),
        Optional.empty(),
        Optional.empty());
  }

  /** Returns suppliers of the state of containers, one of which requests two vcores. */
  static NodeMechanisms.Containers containers(Supplier<Map<String, Long>> reservations) {
    NodeMechanisms.Containers none = NodeMechanisms.Containers.none();
    return new NodeMechanisms.Containers(
        none.tasks(),
        none.candidates(),
        none.lastKill(),
        reservations,
        () -> Map.of("container_1", 2),
        none.bestEffortBytes());
  }
}
