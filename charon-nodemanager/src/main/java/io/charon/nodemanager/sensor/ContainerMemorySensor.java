/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.mechanism.WorkingSet;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads the working set of every container that has a memory cgroup on this node. At most {@link
 * RoundRobinReader#MAX_READINGS} of them are read per tick; with more containers, a working set may
 * be a few ticks old.
 */
public final class ContainerMemorySensor {
  /** What follows from a container's cgroup that cannot be read. */
  static final String UNREADABLE = "its container keeps the working set that was measured last";

  /**
   * The memory of one container at one instant.
   *
   * @param containerId YARN's container id
   * @param containerClass the class whose parent cgroup it is in
   * @param workingSet its memory without reclaimable page cache
   */
  public record ContainerMemory(
      String containerId, ContainerClass containerClass, WorkingSet workingSet) {}

  private final CgroupLayout layout;
  private final RoundRobinReader<WorkingSet> workingSets;

  public ContainerMemorySensor(CgroupLayout layout) {
    this(layout, cgroup -> workingSet(cgroup, layout.version()));
  }

  /** Creates a sensor with another way to read a container's cgroup; visible for tests. */
  ContainerMemorySensor(
      CgroupLayout layout, Function<Path, RoundRobinReader.Reading<WorkingSet>> workingSet) {
    this.layout = layout;
    this.workingSets = new RoundRobinReader<>(workingSet, UNREADABLE);
  }

  /**
   * Reads one file of each container whose turn it is. A container whose cgroup vanishes or cannot
   * be read is absent, and so is a new container that has not had a turn yet.
   *
   * @return memory by container id; empty if the node's cgroup does not exist
   * @throws IOException naming the directory, if the containers' cgroups cannot be listed
   */
  public Map<String, ContainerMemory> read() throws IOException {
    Map<Path, ContainerClass> cgroups = new LinkedHashMap<>();
    CgroupHierarchy memory = layout.memory();
    for (ContainerClass containerClass :
        List.of(ContainerClass.BEST_EFFORT, ContainerClass.PRODUCTION)) {
      layout
          .containers(memory, containerClass)
          .values()
          .forEach(cgroup -> cgroups.put(cgroup, containerClass));
    }
    Map<String, ContainerMemory> containers = new HashMap<>();
    workingSets
        .next(cgroups.keySet())
        .forEach(
            (cgroup, workingSet) -> {
              String id = cgroup.getFileName().toString();
              containers.merge(
                  id,
                  new ContainerMemory(id, cgroups.get(cgroup), workingSet),
                  ContainerMemorySensor::sum);
            });
    return containers;
  }

  /**
   * Adds both cgroups of a promoted or demoted container, which has pages in both classes because
   * the kernel does not move them.
   */
  private static ContainerMemory sum(ContainerMemory one, ContainerMemory other) {
    return new ContainerMemory(
        one.containerId(), other.containerClass(), one.workingSet().plus(other.workingSet()));
  }

  /** Returns the reading of the working set of a cgroup. */
  static RoundRobinReader.Reading<WorkingSet> workingSet(Path cgroup, CgroupVersion version) {
    return new StatReading(new MemoryStat(cgroup, version));
  }

  private record StatReading(MemoryStat stat) implements RoundRobinReader.Reading<WorkingSet> {
    @Override
    public WorkingSet read() throws IOException {
      stat.read();
      return stat.workingSet();
    }

    @Override
    public void close() throws IOException {
      stat.close();
    }
  }
}
