/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.mechanism.WorkingSet;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.cgroup.CgroupException;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.CharonSettings.MemoryBoundary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sensors that a node reads each tick: its own memory, the working set of every container, and
 * the threads that want to run.
 */
public final class NodeSensors {
  private static final Logger LOG = LoggerFactory.getLogger(NodeSensors.class);

  private final NodeMemorySensor node;
  private final Supplier<NodeMemorySensor> another;
  private final ContainerReading containers;
  private final RunnableThreadsSensor runnable;

  private interface ContainerReading {
    Map<String, WorkingSet> workingSets() throws IOException;
  }

  private NodeSensors(
      Supplier<NodeMemorySensor> node,
      ContainerReading containers,
      RunnableThreadsSensor runnable) {
    this.node = node.get();
    this.another = node;
    this.containers = containers;
    this.runnable = runnable;
  }

  /**
   * Chooses the sensors for this machine.
   *
   * @param settings the settings, which include the node's memory boundary
   * @param procRoot the mount point of proc
   * @param layout layout of the containers' cgroups, in use or not; empty if they cannot have any
   * @param outside first process of each container without a cgroup, by container id
   */
  public static NodeSensors open(
      CharonSettings settings,
      Path procRoot,
      Optional<CgroupLayout> layout,
      Supplier<Map<String, Long>> outside) {
    return new NodeSensors(
        () -> node(settings, procRoot, layout),
        containers(procRoot, layout, outside),
        new RunnableThreadsSensor(procRoot));
  }

  /**
   * Chooses the sensors where Charon adopts the cgroups of containers.
   *
   * @param settings the settings; the node's memory boundary may be YARN's cgroup
   * @param procRoot the mount point of proc
   * @param adopted reads the adopted cgroups
   * @param outside first process of each container without a cgroup, by container id
   */
  public static NodeSensors attached(
      CharonSettings settings,
      Path procRoot,
      AdoptedMemorySensor adopted,
      Supplier<Map<String, Long>> outside) {
    return new NodeSensors(
        () -> node(settings, procRoot, Optional.of(adopted.layout())),
        reading(adopted::read, new ProcessTreeMemorySensor(procRoot), outside),
        new RunnableThreadsSensor(procRoot));
  }

  /** Returns the sensor of the threads that want to run. */
  public RunnableThreadsSensor runnable() {
    return runnable;
  }

  /** Returns the sensor of the node's memory. */
  public NodeMemorySensor node() {
    return node;
  }

  /**
   * Creates a separate sensor of the node's memory, for a caller that must not wait for other
   * readers.
   */
  public NodeMemorySensor newNodeSensor() {
    return another.get();
  }

  /**
   * Reads the working set of every container, by container id. That of a container without a cgroup
   * does not tell which files in memory outlive it.
   *
   * @throws IOException if the containers cannot be listed
   */
  public Map<String, WorkingSet> workingSets() throws IOException {
    return containers.workingSets();
  }

  private static NodeMemorySensor node(
      CharonSettings settings, Path procRoot, Optional<CgroupLayout> layout) {
    MeminfoReader meminfo = new MeminfoReader(procRoot);
    return switch (settings.sensors().memoryBoundary()) {
      case HOST -> meminfo;
      case SELF ->
          selfDirectory(procRoot)
              .<NodeMemorySensor>map(self -> confined(self.directory(), self.layout(), meminfo))
              .orElseGet(() -> new InvisibleBoundary(MemoryBoundary.SELF));
      case CGROUP ->
          layout
              .<NodeMemorySensor>map(
                  cgroups -> confined(cgroups.nodeDirectory(cgroups.memory()), cgroups, meminfo))
              .orElseGet(() -> new InvisibleBoundary(MemoryBoundary.CGROUP));
    };
  }

  private static NodeMemorySensor confined(
      Path directory, CgroupLayout layout, MeminfoReader meminfo) {
    return new CgroupMemorySensor(directory, layout.version(), meminfo);
  }

  private record Self(Path directory, CgroupLayout layout) {}

  private static Optional<Self> selfDirectory(Path procRoot) {
    try {
      // The path of the containers does not affect the NodeManager's own cgroup.
      CgroupLayout layout = CgroupLayout.detect(procRoot, "/charon");
      return layout.selfMemoryDirectory().map(directory -> new Self(directory, layout));
    } catch (CgroupException e) {
      LOG.warn("the NodeManager's own memory cgroup cannot be found: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Reads containers by their cgroups if they have any, and all others by their processes, which is
   * less precise.
   */
  private static ContainerReading containers(
      Path procRoot, Optional<CgroupLayout> layout, Supplier<Map<String, Long>> outside) {
    Optional<ContainerMemorySensor> cgroups = layout.map(ContainerMemorySensor::new);
    return reading(
        () -> cgroups.isPresent() ? workingSets(cgroups.get()) : Map.of(),
        new ProcessTreeMemorySensor(procRoot),
        outside);
  }

  private static Map<String, WorkingSet> workingSets(ContainerMemorySensor cgroups)
      throws IOException {
    Map<String, WorkingSet> sets = new HashMap<>();
    cgroups.read().forEach((containerId, memory) -> sets.put(containerId, memory.workingSet()));
    return sets;
  }

  private static ContainerReading reading(
      ContainerReading cgroups,
      ProcessTreeMemorySensor processes,
      Supplier<Map<String, Long>> outside) {
    return () -> {
      Map<String, WorkingSet> sets = new HashMap<>(cgroups.workingSets());
      Map<String, Long> roots = outside.get();
      if (!roots.isEmpty()) {
        processes.read(roots).forEach((id, bytes) -> sets.put(id, WorkingSet.of(bytes)));
      }
      return sets;
    };
  }

  /** Represents a boundary that does not exist here, which keeps best-effort launches stopped. */
  private record InvisibleBoundary(MemoryBoundary wanted) implements NodeMemorySensor {
    @Override
    public NodeMemory read() throws IOException {
      throw NodeBoundary.invisible(wanted);
    }
  }
}
