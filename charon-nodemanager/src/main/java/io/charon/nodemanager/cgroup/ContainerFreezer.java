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
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Freezes and thaws containers, and reclaims the memory of frozen ones. Uses {@code cgroup.freeze}
 * if there is a unified hierarchy, with or without controllers; SIGKILL still terminates a process
 * that it froze. The v1 freezer, used only if no unified hierarchy is mounted, delays signals until
 * the container is thawed. Thread-safe.
 */
public final class ContainerFreezer {
  /**
   * Bytes reclaimed per step, small enough that a container that resumes meanwhile keeps the rest.
   */
  private static final long RECLAIM_STEP_BYTES = 32L << 20;

  private final CgroupLayout layout;

  /** Creates a freezer for the containers of this node. */
  public ContainerFreezer(CgroupLayout layout) {
    this.layout = layout;
  }

  /**
   * Returns why containers could not be frozen on this machine if they had cgroups, with the cure;
   * empty if they could.
   */
  public Optional<String> impossible() {
    return hierarchy().isPresent()
        ? Optional.empty()
        : Optional.of(
            "no cgroup hierarchy can freeze containers: mount cgroup v2, or the v1 freezer controller");
  }

  /** Returns why containers cannot be frozen on this machine, with the cure; empty if they can. */
  public Optional<String> unavailable() {
    Optional<CgroupHierarchy> hierarchy = hierarchy();
    if (hierarchy.isEmpty()) {
      return impossible();
    }
    Path file =
        CgroupFile.FREEZE.path(
            layout.classDirectory(hierarchy.get(), ContainerClass.BEST_EFFORT),
            hierarchy.get().version());
    return Files.exists(file)
        ? Optional.empty()
        : Optional.of(
            "there is no "
                + file
                + ": freezing needs Linux 5.2, and cgroups that the NodeManager's user may create");
  }

  private Optional<CgroupHierarchy> hierarchy() {
    return layout.hierarchies().stream()
        .filter(hierarchy -> hierarchy.version() == CgroupVersion.V2)
        .findFirst()
        .or(() -> layout.hierarchy(CgroupController.FREEZER));
  }

  /**
   * Stops all processes of a container; may return before the last one has stopped.
   *
   * @throws IOException naming the file, or if the container has no cgroup that can be frozen
   */
  public void freeze(String containerId) throws IOException {
    List<Path> files = files(containerId);
    if (files.isEmpty()) {
      throw new IOException(containerId + " has no cgroup that can be frozen");
    }
    for (Path file : files) {
      CgroupDirectories.write(file, isV1(file) ? "FROZEN" : "1");
    }
  }

  /**
   * Thaws a container.
   *
   * @return whether it was frozen
   * @throws IOException naming the file
   */
  public boolean thaw(String containerId) throws IOException {
    boolean wasFrozen = false;
    for (Path file : files(containerId)) {
      if (isFrozen(file)) {
        CgroupDirectories.write(file, isV1(file) ? "THAWED" : "0");
        wasFrozen = true;
      }
    }
    return wasFrozen;
  }

  /**
   * Returns whether a container is frozen or being frozen.
   *
   * @throws IOException naming the file
   */
  public boolean isFrozen(String containerId) throws IOException {
    boolean frozen = false;
    for (Path file : files(containerId)) {
      frozen |= isFrozen(file);
    }
    return frozen;
  }

  private static boolean isFrozen(Path file) throws IOException {
    return CgroupDirectories.readIfPresent(file)
        .map(state -> isV1(file) ? !state.equals("THAWED") : state.equals("1"))
        .orElse(false);
  }

  private static boolean isV1(Path file) {
    return CgroupFile.FREEZE.path(file.getParent(), CgroupVersion.V1).equals(file);
  }

  /**
   * Returns the ids of all containers that are frozen or being frozen.
   *
   * @throws IOException naming the directory or file that cannot be read
   */
  public Set<String> frozen() throws IOException {
    Set<String> ids = new TreeSet<>();
    for (CgroupHierarchy hierarchy : hierarchy().stream().toList()) {
      for (ContainerClass containerClass : ContainerClass.values()) {
        for (Map.Entry<String, Path> child :
            layout.containers(hierarchy, containerClass).entrySet()) {
          if (isFrozen(CgroupFile.FREEZE.path(child.getValue(), hierarchy.version()))) {
            ids.add(child.getKey());
          }
        }
      }
    }
    return ids;
  }

  /**
   * Returns all freeze files of a container, because a promoted or demoted one has a cgroup of each
   * class.
   */
  private List<Path> files(String containerId) {
    List<Path> files = new ArrayList<>();
    for (CgroupHierarchy hierarchy : hierarchy().stream().toList()) {
      for (ContainerClass containerClass : ContainerClass.values()) {
        Path cgroup = layout.containerDirectory(hierarchy, containerClass, containerId);
        Path file = CgroupFile.FREEZE.path(cgroup, hierarchy.version());
        if (Files.exists(file)) {
          files.add(file);
        }
      }
    }
    return files;
  }

  /**
   * Asks the kernel to reclaim a best-effort container's memory, to swap where there is any and to
   * its files. On v1 it asks for all of the memory. May take seconds.
   *
   * @param bytes the most memory to reclaim, v2 only
   * @param keepGoing checked between steps, v2 only; reclaiming stops when it returns false
   * @return the decrease of its anonymous memory in bytes, at least 0
   * @throws IOException naming the file that is missing or cannot be written
   */
  public long reclaim(String containerId, long bytes, BooleanSupplier keepGoing)
      throws IOException {
    Path cgroup =
        layout.containerDirectory(layout.memory(), ContainerClass.BEST_EFFORT, containerId);
    Path file = CgroupFile.RECLAIM.path(cgroup, layout.version());
    long before = anonymousBytes(cgroup);
    if (layout.version() == CgroupVersion.V1) {
      CgroupDirectories.write(file, "0");
    } else {
      long asked = 0;
      while (asked < bytes && keepGoing.getAsBoolean() && step(file, bytes - asked)) {
        asked += RECLAIM_STEP_BYTES;
      }
    }
    return Math.max(0, before - anonymousBytes(cgroup));
  }

  /** Reclaims one step; returns false if the kernel could not reclaim that much (EAGAIN). */
  private static boolean step(Path file, long leftBytes) throws IOException {
    try {
      CgroupDirectories.write(file, Long.toString(Math.min(leftBytes, RECLAIM_STEP_BYTES)));
      return true;
    } catch (IOException e) {
      if (Files.isWritable(file)) {
        return false;
      }
      throw e;
    }
  }

  private long anonymousBytes(Path cgroup) throws IOException {
    String key = layout.version() == CgroupVersion.V1 ? "total_rss " : "anon ";
    return CgroupDirectories.readIfPresent(CgroupFile.MEMORY_STAT.path(cgroup, layout.version()))
        .flatMap(stat -> stat.lines().filter(line -> line.startsWith(key)).findFirst())
        .map(line -> Long.parseLong(line.substring(key.length())))
        .orElse(0L);
  }
}
