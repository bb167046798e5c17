/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.reclaim.ReclaimableContainers.Container;
import io.charon.core.mechanism.Availability;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.PseudoFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Reads each container's memory, its refaults, and its waiting times. Promoted and demoted
 * containers are omitted, because their pages are charged to both of their cgroups. Not
 * thread-safe.
 */
public final class ReclaimableContainersSensor {
  private static final long KIBIBYTE = 1024;
  private static final String NO_PRESSURE =
      "the kernel has no pressure stall information: boot it with psi=1";
  private static final String NO_HIERARCHY =
      "pressure of cgroups needs a mounted cgroup v2 hierarchy";
  private static final String NO_REFAULTS =
      "memory.stat has no workingset_refault_*, so memory that comes back is not seen: use a later"
          + " kernel, or cgroup v2";

  private final CgroupLayout layout;
  private final Path procRoot;
  private final Optional<CgroupHierarchy> unified;

  /**
   * A reading of all containers.
   *
   * @param containers best-effort containers first, each class in the order of ids
   * @param swapBytes total swap of the machine
   * @param freeSwapBytes its free part
   */
  public record Seen(List<Container> containers, long swapBytes, long freeSwapBytes) {}

  /**
   * Creates a sensor without any reading.
   *
   * @param layout the layout of the containers' cgroups
   * @param procRoot the mount point of proc
   */
  public ReclaimableContainersSensor(CgroupLayout layout, Path procRoot) {
    this.layout = layout;
    this.procRoot = procRoot;
    this.unified =
        layout.hierarchies().stream()
            .filter(hierarchy -> hierarchy.version() == CgroupVersion.V2)
            .findFirst();
  }

  /** Returns whether this machine reports the waiting times and the refaults of containers. */
  public Availability availability() {
    if (!Files.isReadable(procRoot.resolve("pressure/memory"))) {
      return Availability.missing(NO_PRESSURE);
    }
    if (unified.isEmpty()) {
      return Availability.missing(NO_HIERARCHY);
    }
    return lacksRefaults() ? Availability.missing(NO_REFAULTS) : Availability.available();
  }

  /**
   * Returns whether the root cgroup shows that the kernel does not count refaults, because there
   * need not be another cgroup yet; false if the root has no statistics.
   */
  private boolean lacksRefaults() {
    Path root = layout.memory().mountPoint();
    try (PseudoFile stat = new PseudoFile(CgroupFile.MEMORY_STAT.path(root, layout.version()))) {
      stat.read();
      return refaults(stat).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the number of refaulted pages; empty if the kernel does not count them. */
  private OptionalLong refaults(PseudoFile stat) {
    String prefix = prefix();
    return Stream.of("workingset_refault_file", "workingset_refault_anon")
        .mapToLong(key -> stat.find(prefix + key))
        .filter(pages -> pages >= 0)
        .reduce(Long::sum);
  }

  /** Returns the start of the keys that include the cgroups below. */
  private String prefix() {
    return layout.version() == CgroupVersion.V1 ? "total_" : "";
  }

  /**
   * Reads the containers.
   *
   * @param taken memory reclaimed from a container so far, bytes by its id
   * @throws IOException naming the file that cannot be read; ended containers are skipped
   */
  public Seen read(ToLongFunction<String> taken) throws IOException {
    Set<String> bestEffort = ids(ContainerClass.BEST_EFFORT);
    Set<String> production = ids(ContainerClass.PRODUCTION);
    Set<String> both = new TreeSet<>(bestEffort);
    both.retainAll(production);
    long pageBytes = PageSize.bytes(procRoot); // the kernel counts refaults in pages
    List<Container> containers = new ArrayList<>();
    for (ContainerClass side : List.of(ContainerClass.BEST_EFFORT, ContainerClass.PRODUCTION)) {
      for (String id : side == ContainerClass.PRODUCTION ? production : bestEffort) {
        if (!both.contains(id)) {
          container(side, id, taken.applyAsLong(id), pageBytes).ifPresent(containers::add);
        }
      }
    }
    try (PseudoFile meminfo = new PseudoFile(procRoot.resolve("meminfo"))) {
      meminfo.read();
      return new Seen(
          containers,
          Math.max(0, meminfo.find("SwapTotal")) * KIBIBYTE,
          Math.max(0, meminfo.find("SwapFree")) * KIBIBYTE);
    }
  }

  private Set<String> ids(ContainerClass side) throws IOException {
    return layout.containers(layout.memory(), side).keySet();
  }

  private Optional<Container> container(ContainerClass side, String id, long taken, long pageBytes)
      throws IOException {
    Path cgroup = layout.containerDirectory(layout.memory(), side, id);
    CgroupVersion version = layout.version();
    String prefix = prefix();
    try (PseudoFile usage = new PseudoFile(CgroupFile.MEMORY_USAGE.path(cgroup, version));
        PseudoFile stat = new PseudoFile(CgroupFile.MEMORY_STAT.path(cgroup, version))) {
      usage.read();
      stat.read();
      OptionalLong refaults = refaults(stat);
      return Optional.of(
          new Container(
              id,
              side == ContainerClass.PRODUCTION,
              usage.number(),
              CgroupUse.cleanBytes(stat, version),
              stat.field(prefix + "active_anon") + stat.field(prefix + "inactive_anon"),
              refaults.orElse(0) * pageBytes,
              taken,
              refaults.isPresent() ? waited(side, id) : OptionalDouble.empty()));
    } catch (IOException e) {
      if (Files.exists(cgroup)) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /**
   * Returns the largest share of time that it waited for memory or for disks, in the last 10 s or
   * 60 s, percent; empty if unknown.
   */
  private OptionalDouble waited(ContainerClass side, String id) {
    if (unified.isEmpty()) {
      return OptionalDouble.empty();
    }
    Path cgroup = layout.containerDirectory(unified.get(), side, id);
    double most = 0;
    for (CgroupFile file : List.of(CgroupFile.MEMORY_PRESSURE, CgroupFile.DISK_PRESSURE)) {
      try (PseudoFile pressure = new PseudoFile(file.path(cgroup, CgroupVersion.V2))) {
        pressure.read();
        // The line "some" comes first.
        most = Math.max(most, pressure.decimalAfter("some avg10="));
        most = Math.max(most, pressure.decimalAfter("avg60="));
      } catch (IOException e) {
        return OptionalDouble.empty();
      }
    }
    return OptionalDouble.of(most);
  }
}
