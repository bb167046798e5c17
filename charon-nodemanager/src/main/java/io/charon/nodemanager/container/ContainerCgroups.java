/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import com.codahale.metrics.Counter;
import io.charon.killer.client.CgroupId;
import io.charon.nodemanager.cgroup.CgroupException;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpusetWriter;
import io.charon.nodemanager.cgroup.Sweep;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.Isolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cgroups of a node's containers where they are wanted and can be had, and nothing where not: a
 * container runs in any case. None is made before {@link #prepare}. Each cause is logged once and
 * every occurrence is counted.
 */
public final class ContainerCgroups {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerCgroups.class);

  private final Optional<CgroupLayout> layout;
  private final Optional<CgroupWriter> writer;
  private final Map<Long, String> left;
  private final Counter failures;
  private final Set<String> warned = ConcurrentHashMap.newKeySet();
  private volatile boolean prepared;

  private ContainerCgroups(
      Optional<CgroupLayout> layout,
      Optional<CgroupWriter> writer,
      Map<Long, String> left,
      Counter failures) {
    this.layout = layout;
    this.writer = writer;
    this.left = left;
    this.failures = failures;
  }

  /**
   * Finds out where cgroups would be, and removes what dead containers of an earlier NodeManager
   * left; makes none.
   *
   * @param settings where, and whether
   * @param procRoot where proc is mounted
   * @param failures counts what went wrong
   */
  public static ContainerCgroups open(CharonSettings settings, Path procRoot, Counter failures) {
    Isolation isolation = settings.isolation();
    if (settings.cgroupPath().isEmpty() || isolation.counted()) {
      return new ContainerCgroups(Optional.empty(), Optional.empty(), Map.of(), failures);
    }
    try {
      CgroupLayout layout =
          CgroupLayout.detect(procRoot, settings.cgroupPath().get(), isolation.taken());
      if (isolation.attaches() && layout.version() == CgroupVersion.V2) {
        // A process is in one cgroup of version 2, and YARN moves it to its own.
        return new ContainerCgroups(Optional.empty(), Optional.empty(), Map.of(), failures);
      }
      CgroupWriter writer = new CgroupWriter(layout, settings.cpuSplit());
      Map<Long, String> left = memoryCgroups(layout, writer.containers());
      Sweep sweep = writer.sweep();
      if (!sweep.removed().isEmpty()) {
        LOG.info("removed the cgroups of {} dead containers", sweep.removed().size());
      }
      return new ContainerCgroups(Optional.of(layout), Optional.of(writer), left, failures);
    } catch (CgroupException e) {
      failures.inc();
      LOG.warn("containers run without cgroups of their own: {}", e.getMessage());
      return new ContainerCgroups(Optional.empty(), Optional.empty(), Map.of(), failures);
    }
  }

  /** Makes the node's cgroup, or brings it up to date; containers get cgroups from now on. */
  public void prepare() {
    if (writer.isEmpty()) {
      return;
    }
    try {
      writer.get().prepareNode();
      prepared = true;
    } catch (CgroupException e) {
      failures.inc();
      LOG.warn("containers run without cgroups of their own: {}", e.getMessage());
    }
  }

  private static Map<Long, String> memoryCgroups(CgroupLayout layout, Set<String> containers) {
    Map<Long, String> ids = new HashMap<>();
    for (String containerId : containers) {
      for (ContainerClass containerClass : ContainerClass.values()) {
        try {
          ids.put(
              CgroupId.of(layout.containerDirectory(layout.memory(), containerClass, containerId)),
              containerId);
        } catch (IOException e) {
          LOG.debug("{} has no memory cgroup as {}", containerId, containerClass, e);
        }
      }
    }
    return ids;
  }

  /**
   * The containers that an earlier NodeManager left, dead or alive.
   *
   * @return their ids by the id of their memory cgroup
   */
  public Map<Long, String> left() {
    return left;
  }

  /** Where cgroups are, if they are in use. */
  public Optional<CgroupLayout> layout() {
    return layout.filter(known -> prepared);
  }

  /** Where cgroups are or would be, if this machine has any that the operator lets Charon use. */
  public Optional<CgroupLayout> possible() {
    return layout;
  }

  /** Whether an earlier NodeManager, or this one, left the parent of best-effort containers. */
  public boolean anyLeft() {
    return layout
        .map(known -> known.classDirectory(known.memory(), ContainerClass.BEST_EFFORT))
        .filter(Files::isDirectory)
        .isPresent();
  }

  /** Whether a container has a cgroup of its own. */
  public boolean has(String containerId) {
    return writer.map(cgroups -> cgroups.has(containerId)).orElse(false);
  }

  /** Gives cgroups their CPUs, if cgroups are in use. */
  public Optional<CpusetWriter> cpusets() {
    return writer.filter(known -> prepared).map(CgroupWriter::cpusets);
  }

  /** Takes away what an earlier NodeManager gave cgroups, if there can be any. */
  public Optional<CpusetWriter> cpusetsOfBefore() {
    return writer.map(CgroupWriter::cpusets);
  }

  /**
   * Makes a container's cgroup. On cgroup v2 the memory that an ApplicationMaster asked for is kept
   * from reclaim: no more than its request, so that no more than that is lost to others.
   *
   * @return files that the container's first process writes its id into before any user code
   */
  public List<Path> create(ContainerInfo container) {
    if (!prepared) {
      return List.of();
    }
    try {
      List<Path> procs =
          writer
              .get()
              .createContainer(
                  container.containerId(),
                  container.containerClass(),
                  OptionalInt.of(OomScores.swappinessOf(container)));
      if (container.applicationMaster()) {
        writer
            .get()
            .bypassReclaim(
                container.containerId(), container.containerClass(), container.requestedBytes());
      }
      return procs;
    } catch (CgroupException e) {
      tolerate("create", e);
      return List.of();
    }
  }

  /**
   * Gives a container a CPU weight beside the others of its class, if cgroups are in use.
   *
   * @param percent of theirs, 1 to 100
   */
  public void weigh(ContainerInfo container, int percent) {
    writer.ifPresent(
        cgroups -> cgroups.weigh(container.containerId(), container.containerClass(), percent));
  }

  /**
   * Moves a container that was promoted or demoted to where its class is, with all its processes.
   *
   * @return ids of the processes
   */
  public List<Long> move(ContainerInfo container) {
    if (writer.isEmpty()) {
      return List.of();
    }
    try {
      if (!writer
          .get()
          .moveContainer(
              container.containerId(),
              container.containerClass(),
              OptionalInt.of(OomScores.swappinessOf(container)))) {
        failures.inc();
      }
    } catch (CgroupException e) {
      tolerate("move", e);
    }
    return writer.get().processes(container.containerId());
  }

  /** How often the kernel's OOM killer took a process of this container. */
  public long oomKills(String containerId) {
    return writer.map(cgroups -> cgroups.oomKills(containerId)).orElse(0L);
  }

  /** Removes a container's cgroup, with whatever its user code left in it. */
  public void remove(String containerId) {
    writer.ifPresent(
        cgroups -> {
          if (!cgroups.removeContainer(containerId)) {
            failures.inc();
          }
        });
  }

  /** Removes what processes that were still exiting kept of ended containers. */
  public void removeLeft() {
    writer.ifPresent(CgroupWriter::removeLeft);
  }

  /**
   * How often an optional setting of a cgroup failed, such as its weight, swappiness or memory.min.
   */
  public long warnings() {
    return writer
        .map(cgroups -> cgroups.warnings().values().stream().mapToLong(Long::longValue).sum())
        .orElse(0L);
  }

  /** Removes the node's cgroups, if they were in use and no container is left in them. */
  public void close() {
    writer.filter(known -> prepared).ifPresent(CgroupWriter::removeNode);
  }

  private void tolerate(String what, CgroupException e) {
    failures.inc();
    if (warned.add(what)) {
      LOG.warn("a container runs without a cgroup of its own: {}", e.getMessage());
    }
  }
}
