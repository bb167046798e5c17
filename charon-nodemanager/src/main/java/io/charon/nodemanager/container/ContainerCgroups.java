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
import io.charon.nodemanager.cgroup.CgroupWriter.Sweep;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpusetWriter;
import io.charon.nodemanager.cgroup.OomCounts;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.Isolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cgroups of a node's containers, if they are enabled and available; otherwise its operations
 * do nothing, and containers run without cgroups. None is created before {@link #prepare}. Each
 * cause of a failure is logged once and every occurrence is counted.
 */
public final class ContainerCgroups {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerCgroups.class);

  private final Optional<CgroupLayout> layout;
  private final Optional<CgroupWriter> writer;
  private final Map<Long, String> left;
  private final Set<String> killedByLinux;
  private final Counter failures;
  private final Set<String> warned = ConcurrentHashMap.newKeySet();
  private volatile boolean prepared;

  private ContainerCgroups(
      Optional<CgroupLayout> layout,
      Optional<CgroupWriter> writer,
      Map<Long, String> left,
      Set<String> killedByLinux,
      Counter failures) {
    this.layout = layout;
    this.writer = writer;
    this.left = left;
    this.killedByLinux = killedByLinux;
    this.failures = failures;
  }

  /**
   * Detects where cgroups would be, and removes those that ended containers of an earlier
   * NodeManager left; creates none.
   *
   * @param wanted whether cgroups are enabled, and their location
   * @param procRoot the mount point of proc
   * @param failures counts failures
   * @param nanoClock monotonic nanoseconds
   */
  public static ContainerCgroups open(
      CharonSettings.Placement wanted, Path procRoot, Counter failures, LongSupplier nanoClock) {
    Isolation isolation = wanted.isolation();
    if (wanted.cgroupPath().isEmpty() || isolation.memoryCountedByOthers()) {
      return none(failures);
    }
    try {
      CgroupLayout layout =
          CgroupLayout.detect(procRoot, wanted.cgroupPath().get(), isolation.taken());
      if (isolation.attaches() && layout.version() == CgroupVersion.V2) {
        // On version 2 a process is in a single cgroup, and YARN moves it into its own.
        return none(failures);
      }
      CgroupWriter writer = new CgroupWriter(layout, wanted.cpuSplit(), nanoClock);
      Map<Long, String> left = memoryCgroups(layout, writer.containers());
      Set<String> killed = new HashSet<>(left.values());
      killed.removeIf(id -> !writer.oomCounts(id).killedFromAboveSince(OomCounts.none()));
      Sweep sweep = writer.sweep();
      killed.removeAll(sweep.populated()); // those that run on are counted until their end
      if (!sweep.removed().isEmpty()) {
        LOG.info("removed the cgroups of {} dead containers", sweep.removed().size());
      }
      return new ContainerCgroups(Optional.of(layout), Optional.of(writer), left, killed, failures);
    } catch (CgroupException e) {
      failures.inc();
      LOG.warn("containers run without their own cgroups: {}", e.getMessage());
      return none(failures);
    }
  }

  private static ContainerCgroups none(Counter failures) {
    return new ContainerCgroups(Optional.empty(), Optional.empty(), Map.of(), Set.of(), failures);
  }

  /** Creates or updates the node's cgroup; from now on containers get cgroups. */
  public void prepare() {
    if (writer.isEmpty()) {
      return;
    }
    try {
      writer.get().prepareNode();
      prepared = true;
    } catch (CgroupException e) {
      failures.inc();
      LOG.warn("containers run without their own cgroups: {}", e.getMessage());
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
   * Returns the containers that an earlier NodeManager left, running or ended.
   *
   * @return container id by the id of its memory cgroup
   */
  public Map<Long, String> survivors() {
    return left;
  }

  /**
   * Returns whether a container of an earlier NodeManager has ended, and the kernel's OOM killer
   * had killed one of its processes for a limit that is not the container's own.
   */
  public boolean wasKilledByLinux(String containerId) {
    return killedByLinux.contains(containerId);
  }

  /** Returns the layout if cgroups are in use. */
  public Optional<CgroupLayout> layout() {
    return layout.filter(known -> prepared);
  }

  /**
   * Returns the layout of cgroups that are or could be in use; empty if this machine has none or
   * the operator disabled them.
   */
  public Optional<CgroupLayout> possible() {
    return layout;
  }

  /**
   * Returns whether the parent of best-effort containers exists, left by this or an earlier
   * NodeManager.
   */
  public boolean hasLeftovers() {
    return layout
        .map(known -> known.classDirectory(known.memory(), ContainerClass.BEST_EFFORT))
        .filter(Files::isDirectory)
        .isPresent();
  }

  /** Returns whether a container has a cgroup that Charon created. */
  public boolean has(String containerId) {
    return writer.map(cgroups -> cgroups.has(containerId)).orElse(false);
  }

  /** Returns the writer of the cgroups' CPUs, if cgroups are in use. */
  public Optional<CpusetWriter> cpusets() {
    return writer.filter(known -> prepared).map(CgroupWriter::cpusets);
  }

  /**
   * Returns a writer that removes the CPU settings of an earlier NodeManager, even if cgroups are
   * not in use; empty if there can be none.
   */
  public Optional<CpusetWriter> cpusetsForCleanup() {
    return writer.map(CgroupWriter::cpusets);
  }

  /**
   * Creates a container's cgroup. On cgroup v2 the memory of an ApplicationMaster is protected from
   * reclaim up to its request, so that other containers cannot lose more than that.
   *
   * @return files into which the container's first process writes its id before any user code
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
   * Sets a container's CPU weight relative to the others of its class, if this node has cgroups.
   *
   * @param percent share of their weight, 1 to 100
   * @param idle gives it only the CPU time that no other one wants; where the kernel cannot do
   *     that, the share applies
   * @return what was done, or why it was not; empty if there is nothing to weigh
   */
  public Optional<String> setCpuWeight(ContainerInfo container, int percent, boolean idle) {
    return writer.flatMap(
        cgroups ->
            cgroups.setCpuWeight(
                container.containerId(), container.containerClass(), percent, idle));
  }

  /** Returns the CPU time that the running processes of a container have used. */
  public Duration cpuTime(String containerId) {
    return processes(containerId).stream()
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }

  /**
   * Moves a promoted or demoted container with all its processes to the cgroup of its class.
   *
   * @return why processes are left in the cgroup of another class; empty if none are
   */
  public Optional<String> move(ContainerInfo container) {
    if (writer.isEmpty()) {
      return Optional.empty();
    }
    try {
      return writer
          .get()
          .moveContainer(
              container.containerId(),
              container.containerClass(),
              OptionalInt.of(OomScores.swappinessOf(container)));
    } catch (CgroupException e) {
      return Optional.of(e.getMessage());
    }
  }

  /** Returns whether no process of a container is known to be in a cgroup of another class. */
  public boolean isPlaced(ContainerInfo container) {
    return writer
        .map(cgroups -> cgroups.isPlaced(container.containerId(), container.containerClass()))
        .orElse(true);
  }

  /**
   * Returns whether a process of a container is in the cgroup of its class, or the container has no
   * cgroup at all.
   */
  public boolean hasArrived(ContainerInfo container) {
    String id = container.containerId();
    return !has(id)
        || writer.map(cgroups -> cgroups.hasArrived(id, container.containerClass())).orElse(true);
  }

  /** Returns the ids of the processes in a container's cgroups. */
  public List<Long> processes(String containerId) {
    return writer.map(cgroups -> cgroups.processes(containerId)).orElse(List.of());
  }

  /** Returns how often the kernel's OOM killer acted in a container's cgroups. */
  public OomCounts oomCounts(String containerId) {
    return writer.map(cgroups -> cgroups.oomCounts(containerId)).orElseGet(OomCounts::none);
  }

  /**
   * Determines what the kernel's OOM killer ends in a container's best-effort cgroup: the whole
   * container, or one process at a time. Without effect on cgroup v1.
   */
  public void setOomGroup(String containerId, boolean whole) {
    writer.ifPresent(
        cgroups -> cgroups.setOomGroup(containerId, ContainerClass.BEST_EFFORT, whole));
  }

  /** Removes a container's cgroup, including everything that its user code left in it. */
  public void remove(String containerId) {
    writer.ifPresent(
        cgroups -> {
          if (!cgroups.removeContainer(containerId)) {
            failures.inc();
          }
        });
  }

  /** Removes cgroups of ended containers that could not be removed while processes were exiting. */
  public void removeLeft() {
    writer.ifPresent(CgroupWriter::removeLeft);
  }

  /**
   * Returns how often an optional setting of a cgroup failed, such as weight, swappiness or
   * memory.min.
   */
  public long warnings() {
    return writer
        .map(cgroups -> cgroups.warnings().values().stream().mapToLong(Long::longValue).sum())
        .orElse(0L);
  }

  /** Removes the node's cgroups if they were in use and no container is left in them. */
  public void close() {
    writer.filter(known -> prepared).ifPresent(CgroupWriter::removeNode);
  }

  private void tolerate(String what, CgroupException e) {
    failures.inc();
    if (warned.add(what)) {
      LOG.warn("a container runs without its own cgroup: {}", e.getMessage());
    }
  }
}
