/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.core.scheduler.ExecutionType;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerPlaces;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Checks whether the kernel killer finds every container where it looks: best-effort tasks are
 * registered, and all containers have their processes in their cgroups. A task elsewhere could not
 * be chosen, and the thrash of a production container elsewhere would go unnoticed. Not
 * thread-safe.
 */
final class TasksInReach {
  /** Number of ticks within which a starting container has to be registered. */
  private static final int TICKS_TO_REGISTER = 2;

  private final Supplier<Collection<ContainerInfo>> running;
  private final Supplier<ContainerPlaces.Outside> outside;
  private final Map<String, Integer> ticks = new HashMap<>();

  /**
   * Creates an instance that has seen no container.
   *
   * @param running all containers of the node
   * @param outside the containers that run outside of their cgroups
   */
  TasksInReach(
      Supplier<Collection<ContainerInfo>> running, Supplier<ContainerPlaces.Outside> outside) {
    this.running = running;
    this.outside = outside;
  }

  /**
   * Checks every container once.
   *
   * @param registered ids of the containers that the kernel killer knows
   * @return a container that is not where it belongs, as a sentence; empty if there is none
   */
  Optional<String> astray(Set<String> registered) {
    Set<String> tasks =
        running.get().stream()
            .filter(info -> info.executionType() == ExecutionType.OPPORTUNISTIC)
            .filter(info -> !info.applicationMaster())
            .map(ContainerInfo::containerId)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    ticks.keySet().retainAll(tasks);
    List<String> old =
        tasks.stream()
            .filter(task -> ticks.merge(task, 1, Integer::sum) > TICKS_TO_REGISTER)
            .toList();
    return old.stream()
        .filter(task -> !registered.contains(task))
        .findFirst()
        .map(task -> task + " is not registered")
        .or(() -> outside.get().sentence());
  }
}
