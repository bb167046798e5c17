/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.cpuset.Cores;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.PseudoFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads which processors production containers share, which containers have exclusive processors,
 * and the CPU time of each. A container is exclusive if its cpuset differs from that of its class.
 * Not thread-safe.
 */
public final class PoolSensor implements Closeable {
  /**
   * A production container.
   *
   * @param exclusive whether it has processors of its own
   * @param usedSeconds CPU time since its cgroup was created
   * @param periods number of quota periods in which it ran, since then
   * @param throttledPeriods number of these periods in which it was throttled
   */
  public record Container(
      boolean exclusive, double usedSeconds, long periods, long throttledPeriods) {}

  /**
   * A reading of the pool.
   *
   * @param cores number of shared processors
   * @param threadsPerCore highest number of them that share a physical core
   * @param containers containers that have a cgroup, by id
   */
  public record Seen(int cores, int threadsPerCore, Map<String, Container> containers) {
    /** Copies the map. */
    public Seen {
      containers = Map.copyOf(containers);
    }
  }

  private final CgroupLayout layout;
  private final CgroupHierarchy cpu;
  private final Optional<CgroupHierarchy> cpuset;
  private final CgroupHierarchy counting;
  private final ProcStat machine;
  private final TopologyReader topology;

  /**
   * Creates a sensor without any reading.
   *
   * @param layout the layout of the containers' cgroups
   * @param cpu its hierarchy with the cpu controller
   * @param procRoot the mount point of proc
   * @param sysRoot the mount point of sysfs
   */
  public PoolSensor(CgroupLayout layout, CgroupHierarchy cpu, Path procRoot, Path sysRoot) {
    this.layout = layout;
    this.cpu = cpu;
    this.cpuset = layout.hierarchy(CgroupController.CPUSET);
    // Every v2 cgroup counts its CPU time, even without the controller; v1 needs cpuacct.
    this.counting =
        layout.hierarchies().stream()
            .filter(hierarchy -> hierarchy.version() == CgroupVersion.V2)
            .findFirst()
            .orElse(cpu);
    this.machine = new ProcStat(procRoot);
    this.topology = new TopologyReader(sysRoot);
  }

  /**
   * Reads the pool.
   *
   * @param ids ids of the running production containers; those that lack one of their cgroups,
   *     because they start or end, are omitted
   * @throws IOException naming the file that cannot be read
   */
  public Seen read(Set<String> ids) throws IOException {
    machine.read();
    Cores online = machine.cores();
    Cores all = allowed(Optional.empty()).map(online::within).orElse(online);
    Cores shared = all;
    Map<String, Container> containers = new LinkedHashMap<>();
    for (String id : ids) {
      if (CgroupLayout.isContainerId(id)) {
        try {
          if (Files.isDirectory(directory(cpu, id))) {
            Cores own = allowed(Optional.of(id)).map(all::within).orElse(all);
            containers.put(id, container(id, !own.equals(all)));
            shared = own.equals(all) ? shared : shared.minus(own);
          }
        } catch (IOException e) {
          if (hasCgroups(id)) {
            throw e; // otherwise it starts or has ended
          }
        }
      }
    }
    return new Seen(shared.count(), topology.read().maxThreadsPerCore(shared), containers);
  }

  /** Returns whether each cgroup that is read exists: they are created one after the other. */
  private boolean hasCgroups(String id) {
    return Stream.concat(Stream.of(cpu, counting), cpuset.stream())
        .allMatch(hierarchy -> Files.isDirectory(directory(hierarchy, id)));
  }

  private Path directory(CgroupHierarchy hierarchy, String id) {
    return layout.containerDirectory(hierarchy, ContainerClass.PRODUCTION, id);
  }

  /** Returns the processors of a container, or those of its class if no id is given. */
  private Optional<Cores> allowed(Optional<String> id) throws IOException {
    if (cpuset.isEmpty()) {
      return Optional.empty();
    }
    Path cgroup =
        id.map(known -> directory(cpuset.get(), known))
            .orElseGet(() -> layout.classDirectory(cpuset.get(), ContainerClass.PRODUCTION));
    return CpuList.read(CgroupFile.CPUSET_EFFECTIVE_CPUS.path(cgroup, cpuset.get().version()));
  }

  private Container container(String id, boolean exclusive) throws IOException {
    Path path = CgroupFile.CPU_STAT.path(directory(cpu, id), cpu.version());
    try (PseudoFile stat = new PseudoFile(path)) {
      stat.read();
      return new Container(
          exclusive,
          CpuSensor.usedSeconds(directory(counting, id), counting.version()),
          stat.field("nr_periods"),
          stat.field("nr_throttled"));
    }
  }

  /**
   * Returns the CPU time of all production containers since their common cgroup was created,
   * seconds.
   *
   * @throws IOException naming the file that cannot be read
   */
  public double usedSeconds() throws IOException {
    return CpuSensor.usedSeconds(
        layout.classDirectory(counting, ContainerClass.PRODUCTION), counting.version());
  }

  @Override
  public void close() throws IOException {
    machine.close();
  }
}
