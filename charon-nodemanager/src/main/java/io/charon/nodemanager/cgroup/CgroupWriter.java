/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes cgroups: creates and removes the node's tree ({@link NodeTree}) and one cgroup per
 * container. Settings that change at run time belong to other classes: the CPU quota to {@link
 * CpuBandwidth}, the cores to {@link CpusetWriter}, and freezing to {@link ContainerFreezer}.
 *
 * <p>Only the memory cgroup is required. A failure of anything else (CPU weight, cpusets,
 * swappiness, other hierarchies) is logged once per cause and counted in {@link #warnings()}, and
 * the container runs without it. Safe for many threads; calls for the same container must not
 * overlap.
 */
public final class CgroupWriter {
  private static final Logger LOG = LoggerFactory.getLogger(CgroupWriter.class);

  private static final int MAXIMUM_SWAPPINESS = 200;

  /**
   * Result of the sweep at the start for cgroups of earlier NodeManagers.
   *
   * @param removed ids of containers that had no process left and whose cgroups are gone now
   * @param populated ids of containers that still run
   */
  public record Sweep(Set<String> removed, Set<String> populated) {
    public Sweep {
      removed = Set.copyOf(removed);
      populated = Set.copyOf(populated);
    }
  }

  private final CgroupLayout layout;
  private final WarningOnce warnings = new WarningOnce(LOG);
  private final CpusetWriter cpusets;
  private final ReclaimBypass reclaimBypass;
  private final NodeTree tree;
  private final SharedCgroups shared;
  private final ContainerMoves moves;
  private final ContainerRemoval removal;

  /** Creates a writer for one node with this machine's clock. */
  public CgroupWriter(CgroupLayout layout, Optional<CpuSplit> cpuSplit) {
    this(layout, cpuSplit, System::nanoTime);
  }

  /**
   * Creates a writer for one node.
   *
   * @param layout the location of the node's cgroups
   * @param cpuSplit the CPUs of each class; if empty, every container may use all CPUs
   * @param nanoClock monotonic nanoseconds
   */
  public CgroupWriter(CgroupLayout layout, Optional<CpuSplit> cpuSplit, LongSupplier nanoClock) {
    this.layout = layout;
    this.cpusets = new CpusetWriter(layout, cpuSplit, warnings);
    this.reclaimBypass = new ReclaimBypass(layout, warnings);
    this.tree = new NodeTree(layout, cpusets, warnings);
    this.shared = new SharedCgroups(layout);
    this.moves = new ContainerMoves(layout, shared, this::directories);
    this.removal = new ContainerRemoval(this::directories, this::processes, warnings, nanoClock);
  }

  /**
   * Creates or updates the node's cgroup and the parents of both classes: controllers, CPUs, the
   * lowest CPU weight for the best-effort parent, and on v2 the memory.min that their containers
   * need.
   *
   * @throws CgroupException if the memory cgroup cannot be created
   */
  public void prepareNode() throws CgroupException {
    tree.prepare();
    reclaimBypass.updateParents();
  }

  /**
   * Creates the cgroups of one container; uses existing ones as they are.
   *
   * <p>Swappiness exists only on v1, where 0 spares anonymous memory. On version 2 the value has no
   * effect: see {@link #bypassReclaim}.
   *
   * @param id the container's id, see {@link CgroupLayout#isContainerId}
   * @param containerClass the class that determines the parent
   * @param swappiness memory.swappiness, 0 to 200 (kernels before 5.8: 100); empty: inherited
   * @return the cgroup.procs files into which a launching process must write its pid before it
   *     starts anything: one per hierarchy, and those of the class's shared cgroups
   * @throws CgroupException if the memory cgroup cannot be created
   * @throws IllegalArgumentException if the id or the swappiness is not valid
   */
  public List<Path> createContainer(
      String id, ContainerClass containerClass, OptionalInt swappiness) throws CgroupException {
    CgroupLayout.checkContainerId(id);
    if (swappiness.isPresent()
        && (swappiness.getAsInt() < 0 || swappiness.getAsInt() > MAXIMUM_SWAPPINESS)) {
      throw new IllegalArgumentException(
          "swappiness is " + swappiness.getAsInt() + ": allowed is 0 to " + MAXIMUM_SWAPPINESS);
    }
    removal.forget(id);
    if (!Files.isDirectory(layout.classDirectory(layout.memory(), containerClass))) {
      warnings.warn(
          "node cgroup",
          layout.classDirectory(layout.memory(), containerClass)
              + " has disappeared; it is created again");
      prepareNode();
    }
    List<Path> procs = new ArrayList<>();
    for (CgroupHierarchy hierarchy : layout.hierarchies()) {
      Path cgroup = layout.containerDirectory(hierarchy, containerClass, id);
      try {
        tree.create(hierarchy, cgroup);
        procs.add(CgroupFile.PROCS.path(cgroup, hierarchy.version()));
      } catch (IOException e) {
        tree.failed(hierarchy, cgroup, e);
      }
    }
    procs.addAll(shared.launchesInto(containerClass));
    swappiness.ifPresent(
        value ->
            set(
                CgroupFile.SWAPPINESS,
                layout.containerDirectory(layout.memory(), containerClass, id),
                Integer.toString(value),
                "the inherited value applies"));
    return procs;
  }

  /**
   * On v2, protects up to this amount of an existing container's memory, including file pages, from
   * reclaim until the container is removed (memory.min, also on the parents). Does nothing on v1.
   *
   * @param bytes at least 0
   * @throws IllegalArgumentException if the id or the size is not valid
   */
  public void bypassReclaim(String id, ContainerClass containerClass, long bytes) {
    CgroupLayout.checkContainerId(id);
    if (bytes < 0) {
      throw new IllegalArgumentException("protected memory is " + bytes + " bytes: at least 0");
    }
    reclaimBypass.protect(id, containerClass, bytes);
  }

  /**
   * Sets the CPU weight of an existing container's cgroup relative to others of its class. Does
   * nothing if no cpu controller is mounted or the container has ended.
   *
   * @param percent share of the default weight, 1 to 100
   * @param idle gives it only the CPU time that no other cgroup of its class wants; where the
   *     kernel cannot do that, the share applies
   * @return what was done, or why it was not; empty if there is nothing to weigh
   * @throws IllegalArgumentException if the id or the share is not valid
   */
  public Optional<String> setCpuWeight(
      String id, ContainerClass containerClass, int percent, boolean idle) {
    CgroupLayout.checkContainerId(id);
    if (percent < 1 || percent > 100) {
      throw new IllegalArgumentException("weight is " + percent + " %: allowed is 1 to 100");
    }
    return layout
        .hierarchy(CgroupController.CPU)
        .flatMap(
            hierarchy -> {
              CgroupVersion version = hierarchy.version();
              Path cgroup = layout.containerDirectory(hierarchy, containerClass, id);
              if (idle && CpuWeight.setIdle(cgroup, version)) {
                return Optional.of("applied: idle");
              }
              try {
                CpuWeight.set(cgroup, version, percent);
                return Optional.of("applied: " + percent + " % of the default weight");
              } catch (IOException e) {
                if (!Files.isDirectory(cgroup)) {
                  return Optional.empty();
                }
                Path weight = CgroupFile.CPU_WEIGHT.path(cgroup, version);
                warnings.warn(
                    weight.getFileName().toString(), weight + ": " + e + "; left unchanged");
                return Optional.of("failed: " + e);
              }
            });
  }

  /**
   * On v2, determines what the kernel's OOM killer ends in an existing container's cgroup: the
   * whole container, or one process at a time, as without this setting. Does nothing on v1.
   *
   * @throws IllegalArgumentException if the id is not valid
   */
  public void setOomGroup(String id, ContainerClass containerClass, boolean whole) {
    set(
        CgroupFile.OOM_GROUP,
        layout.containerDirectory(layout.memory(), containerClass, id),
        whole ? "1" : "0",
        "the kernel's OOM killer ends single processes, as always before Linux 4.19");
  }

  /** Writes an optional setting of an existing memory cgroup, if this version has it. */
  private void set(CgroupFile setting, Path cgroup, String value, String otherwise) {
    Optional<Path> file = setting.in(cgroup, layout.version());
    if (file.isEmpty()) {
      return;
    }
    try {
      CgroupDirectories.write(file.get(), value);
    } catch (IOException e) {
      if (Files.isDirectory(cgroup)) {
        warnings.warn(
            file.get().getFileName().toString(),
            "cannot write " + value + " into " + file.get() + ": " + e + "; " + otherwise);
      }
    }
  }

  /**
   * Moves the processes of a promoted or demoted container into cgroups of its new class. Memory
   * that was already charged stays counted in the old class; new allocations are counted in the new
   * class. The old cgroups are removed together with the container.
   *
   * @param id the container's id
   * @param containerClass its new class
   * @param swappiness as for {@link #createContainer}
   * @return why processes are left in the old class; empty if none are
   * @throws CgroupException if the new memory cgroup cannot be created
   */
  public Optional<String> moveContainer(
      String id, ContainerClass containerClass, OptionalInt swappiness) throws CgroupException {
    createContainer(id, containerClass, swappiness);
    return moves.move(id, containerClass);
  }

  /** Returns whether no process of a container is known to be in a cgroup of another class. */
  public boolean isPlaced(String id, ContainerClass containerClass) {
    return moves.isComplete(id, containerClass);
  }

  /** Returns whether a process of a container is in its memory cgroup of a class. */
  public boolean hasArrived(String id, ContainerClass containerClass) {
    return moves.hasArrived(id, containerClass);
  }

  /**
   * Removes the cgroups of a container that has ended, including cgroups nested in them. Remaining
   * processes are killed with SIGKILL. Takes up to 1 s while processes exit; cgroups that then
   * remain are removed by {@link #removeLeft}.
   *
   * @return whether no cgroup is left; also true if there was none
   */
  public boolean removeContainer(String id) {
    boolean gone = removal.remove(id);
    reclaimBypass.updateParents();
    return gone;
  }

  /**
   * Retries the removals that {@link #removeContainer} could not complete, because a process exits
   * only after the kernel has freed its memory. Never waits.
   */
  public void removeLeft() {
    if (removal.removeLeft()) {
      reclaimBypass.updateParents();
    }
  }

  /** Returns the ids of all containers that have a cgroup in any hierarchy. */
  public Set<String> containers() {
    Set<String> ids = new TreeSet<>();
    for (CgroupHierarchy hierarchy : layout.hierarchies()) {
      for (ContainerClass containerClass : ContainerClass.values()) {
        Path parent = layout.classDirectory(hierarchy, containerClass);
        try {
          ids.addAll(CgroupDirectories.containers(parent).keySet());
        } catch (IOException e) {
          warnings.warn("cgroup listing", parent + ": " + e);
        }
      }
    }
    return ids;
  }

  /** Returns whether the container has a cgroup of any class. */
  public boolean has(String id) {
    return !directories(id).isEmpty();
  }

  /** Returns whether a process is in the container's cgroups or below. */
  public boolean populated(String id) {
    return !processes(id).isEmpty();
  }

  /**
   * Returns the distinct pids in the container's cgroups and below in all hierarchies, in ascending
   * order.
   */
  public List<Long> processes(String id) {
    return List.copyOf(processes(directories(id)));
  }

  private Set<Long> processes(List<Path> cgroups) {
    Set<Long> processes = new TreeSet<>();
    for (Path cgroup : cgroups) {
      try {
        CgroupDirectories.addProcesses(cgroup, processes);
      } catch (IOException e) {
        warnings.warn("cgroup.procs", cgroup + ": " + e);
      }
    }
    return processes;
  }

  /** Returns the container's existing cgroups of any class. */
  private List<Path> directories(String id) {
    List<Path> directories = new ArrayList<>();
    for (CgroupHierarchy hierarchy : layout.hierarchies()) {
      for (ContainerClass containerClass : ContainerClass.values()) {
        Path cgroup = layout.containerDirectory(hierarchy, containerClass, id);
        if (Files.isDirectory(cgroup)) {
          directories.add(cgroup);
        }
      }
    }
    return directories;
  }

  /**
   * Removes the cgroups that ended containers of an earlier NodeManager left behind; only for the
   * start.
   */
  public Sweep sweep() {
    Set<String> removed = new TreeSet<>();
    Set<String> populated = new TreeSet<>();
    for (String id : containers()) {
      if (populated(id)) {
        populated.add(id);
      } else if (removeContainer(id)) {
        removed.add(id);
      }
    }
    return new Sweep(removed, populated);
  }

  /**
   * Removes the node's cgroups if no container is left, and the cgroups above that this instance
   * created.
   *
   * @return whether the node's cgroups are gone; false while containers are in them
   */
  public boolean removeNode() {
    return tree.remove();
  }

  /** Returns how often the kernel's OOM killer acted in the container's cgroups of any class. */
  public OomCounts oomCounts(String id) {
    OomCounts sum = OomCounts.none();
    for (ContainerClass containerClass : ContainerClass.values()) {
      Path cgroup = layout.containerDirectory(layout.memory(), containerClass, id);
      try {
        sum = Files.isDirectory(cgroup) ? sum.plus(OomCounts.of(cgroup, layout.version())) : sum;
      } catch (IOException e) {
        warnings.warn("oom_kill", cgroup + ": " + e);
      }
    }
    return sum;
  }

  /** Returns the writer of the cgroups' CPUs. */
  public CpusetWriter cpusets() {
    return cpusets;
  }

  /** Returns how often each optional setting failed, by a fixed name of the cause. */
  public Map<String, Long> warnings() {
    return warnings.counts();
  }
}
