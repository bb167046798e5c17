/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.core.scheduler.ExecutionType;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.container.ContainerInfo;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Whether every best-effort task is where the kernel killer looks for it: registered, and with its
 * first process inside its cgroup. One elsewhere could not be chosen. Not thread-safe.
 */
final class ContainerPlaces {
  /** A container that starts gets so many ticks to arrive. */
  private static final int TICKS_TO_ARRIVE = 2;

  private final CgroupLayout layout;
  private final Supplier<Collection<ContainerInfo>> running;
  private final Supplier<Map<String, Long>> firstProcesses;
  private final Map<String, Integer> ticks = new HashMap<>();
  private final Map<String, Path> arrived = new HashMap<>();

  /**
   * Has seen nobody yet.
   *
   * @param layout where containers have their cgroups
   * @param running all containers of the node
   * @param firstProcesses of those that have one, by container id; asked only while somebody has
   *     not been seen in its cgroup
   */
  ContainerPlaces(
      CgroupLayout layout,
      Supplier<Collection<ContainerInfo>> running,
      Supplier<Map<String, Long>> firstProcesses) {
    this.layout = layout;
    this.running = running;
    this.firstProcesses = firstProcesses;
  }

  /**
   * Looks at every best-effort task once more.
   *
   * @param registered ids of the containers that the kernel killer knows
   * @return one that runs for more than two ticks and is not where it belongs, as a sentence
   */
  Optional<String> astray(Set<String> registered) {
    List<ContainerInfo> tasks =
        running.get().stream()
            .filter(info -> info.executionType() == ExecutionType.OPPORTUNISTIC)
            .filter(info -> !info.applicationMaster())
            .toList();
    List<String> ids = tasks.stream().map(ContainerInfo::containerId).toList();
    ticks.keySet().retainAll(ids);
    arrived.keySet().retainAll(ids);
    List<ContainerInfo> old =
        tasks.stream()
            .filter(task -> ticks.merge(task.containerId(), 1, Integer::sum) > TICKS_TO_ARRIVE)
            .toList();
    return old.stream()
        .filter(task -> !registered.contains(task.containerId()))
        .findFirst()
        .map(task -> task.containerId() + " is not registered")
        .or(() -> outside(old));
  }

  private Optional<String> outside(List<ContainerInfo> old) {
    List<ContainerInfo> unseen =
        old.stream()
            .filter(task -> !directory(task).equals(arrived.get(task.containerId())))
            .toList();
    if (unseen.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Long> processes = firstProcesses.get();
    Optional<String> outside = Optional.empty();
    for (ContainerInfo task : unseen) {
      Optional<Path> place =
          Optional.ofNullable(processes.get(task.containerId())).flatMap(layout::memoryDirectory);
      if (place.isPresent() && place.get().startsWith(directory(task))) {
        arrived.put(task.containerId(), directory(task));
      } else if (place.isPresent()) {
        outside =
            Optional.of(task.containerId() + " runs outside of its cgroup, in " + place.get());
      }
    }
    return outside;
  }

  private Path directory(ContainerInfo task) {
    return layout.containerDirectory(layout.memory(), task.containerClass(), task.containerId());
  }
}
