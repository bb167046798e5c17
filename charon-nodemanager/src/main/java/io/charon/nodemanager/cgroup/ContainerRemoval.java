/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the cgroups of ended containers. A cgroup is in use until its last process has freed its
 * memory; with a lot of memory this takes longer than one of YARN's threads may wait. Cgroups that
 * remain are retried later. Thread-safe.
 */
final class ContainerRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerRemoval.class);

  /** Longest time that a removal waits for killed processes to exit. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private static final Duration RETRY = Duration.ofMillis(10);

  private final Function<String, List<Path>> directories;
  private final Function<List<Path>, Collection<Long>> processes;
  private final WarningOnce warnings;
  private final LongSupplier nanoClock;

  /** Ids of ended containers that still have a cgroup; each id maps to itself. */
  private final Map<String, String> left = new ConcurrentHashMap<>();

  /**
   * Creates a removal without pending containers.
   *
   * @param directories lists the existing cgroups of a container
   * @param processes lists the pids in cgroups and below
   * @param warnings notified of cgroups that cannot be removed yet
   * @param nanoClock monotonic nanoseconds
   */
  ContainerRemoval(
      Function<String, List<Path>> directories,
      Function<List<Path>, Collection<Long>> processes,
      WarningOnce warnings,
      LongSupplier nanoClock) {
    this.directories = directories;
    this.processes = processes;
    this.warnings = warnings;
    this.nanoClock = nanoClock;
  }

  /**
   * Kills the remaining processes and waits up to 1 s until the cgroups are removed.
   *
   * @return whether no cgroup is left
   */
  boolean remove(String id) {
    long start = nanoClock.getAsLong();
    // An interrupted thread fails file operations at once; the removal is bounded and must still
    // happen.
    boolean interrupted = Thread.interrupted();
    List<Path> remaining = remaining(directories.apply(id));
    while (!remaining.isEmpty() && nanoClock.getAsLong() - start < TIMEOUT.toNanos()) {
      kill(remaining);
      try {
        Thread.sleep(RETRY.toMillis());
      } catch (InterruptedException e) {
        interrupted = true;
      }
      remaining = remaining(remaining);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (remaining.isEmpty()) {
      return true;
    }
    left.put(id, id);
    warnings.warn("cgroup removal", remaining + " cannot be removed yet; retried at each tick");
    return false;
  }

  /**
   * Retries every pending removal once, without waiting.
   *
   * @return whether any was completed
   */
  boolean removeLeft() {
    boolean removed = false;
    for (String id : left.keySet()) {
      // Atomic, so that a container that restarts under this id is not removed as a leftover.
      removed |= left.computeIfPresent(id, (key, same) -> removedNow(key) ? null : same) == null;
    }
    return removed;
  }

  /**
   * Cancels the pending removal of a container that restarts under its former id and may reuse its
   * cgroups.
   */
  void forget(String id) {
    left.remove(id);
  }

  private boolean removedNow(String id) {
    List<Path> remaining = remaining(directories.apply(id));
    kill(remaining);
    return remaining.isEmpty();
  }

  /** Removes the cgroups that can be removed and returns the others. */
  private static List<Path> remaining(List<Path> cgroups) {
    List<Path> remaining = new ArrayList<>(cgroups);
    remaining.removeIf(ContainerRemoval::isRemoved);
    return remaining;
  }

  private static boolean isRemoved(Path cgroup) {
    try {
      return CgroupDirectories.remove(cgroup);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Sends SIGKILL to all processes: through the kernel's cgroup.kill where it exists, and one by
   * one for the rest.
   */
  private void kill(List<Path> cgroups) {
    for (Path cgroup : cgroups) {
      Path kill = CgroupFile.KILL.path(cgroup, CgroupVersion.V2);
      if (Files.exists(kill)) {
        try {
          CgroupDirectories.write(kill, "1");
        } catch (IOException e) {
          LOG.debug("{}: {}; killing the processes one by one", kill, e.toString());
        }
      }
    }
    for (long pid : processes.apply(cgroups)) {
      // 0 stands for a process in another pid namespace.
      if (pid > 0 && pid != ProcessHandle.current().pid()) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }
}
