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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the cgroups of ended containers. A cgroup is in use until its last process has freed its
 * memory, which takes longer than a thread of YARN's may wait if that is much: what is left then is
 * tried again later. Thread-safe.
 */
final class ContainerRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerRemoval.class);

  /** How long a removal waits for killed processes to leave. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private static final Duration RETRY = Duration.ofMillis(10);

  private final Function<String, List<Path>> directories;
  private final Function<List<Path>, Collection<Long>> processes;
  private final WarningOnce warnings;

  /** Ids of ended containers that still have a cgroup, each with itself. */
  private final Map<String, String> left = new ConcurrentHashMap<>();

  /**
   * Nothing is left.
   *
   * @param directories the existing cgroups of a container
   * @param processes the pids in cgroups and below
   * @param warnings told of what stays
   */
  ContainerRemoval(
      Function<String, List<Path>> directories,
      Function<List<Path>, Collection<Long>> processes,
      WarningOnce warnings) {
    this.directories = directories;
    this.processes = processes;
    this.warnings = warnings;
  }

  /**
   * Kills who is there and waits up to 1 s until they are gone.
   *
   * @return whether nothing is left
   */
  boolean remove(String id) {
    long start = System.nanoTime();
    // An interrupt fails file operations at once; the removal is bounded and must still happen.
    boolean interrupted = Thread.interrupted();
    List<Path> remaining = remaining(directories.apply(id));
    while (!remaining.isEmpty() && System.nanoTime() - start < TIMEOUT.toNanos()) {
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
    warnings.warn("cgroup removal", remaining + " cannot be removed yet; each tick tries again");
    return false;
  }

  /**
   * Tries once more, without waiting, for each of which something is left.
   *
   * @return whether any was removed
   */
  boolean removeLeft() {
    boolean removed = false;
    for (String id : left.keySet()) {
      // In one step, so that one who starts anew under this id is not taken for what is left of it.
      removed |= left.computeIfPresent(id, (key, same) -> removedNow(key) ? null : same) == null;
    }
    return removed;
  }

  /** A container starts once more under its former id, in the cgroups that may be left of it. */
  void forget(String id) {
    left.remove(id);
  }

  private boolean removedNow(String id) {
    List<Path> remaining = remaining(directories.apply(id));
    kill(remaining);
    return remaining.isEmpty();
  }

  /** Removes what can be removed. */
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

  /** SIGKILL to all processes: at once where the kernel does it, and one by one for the others. */
  private void kill(List<Path> cgroups) {
    for (Path cgroup : cgroups) {
      Path kill = CgroupFile.KILL.path(cgroup, CgroupVersion.V2);
      if (Files.exists(kill)) {
        try {
          CgroupDirectories.write(kill, "1");
        } catch (IOException e) {
          LOG.debug("{}: {}; killing one by one", kill, e.toString());
        }
      }
    }
    for (long pid : processes.apply(cgroups)) {
      // 0 stands for a process of another pid namespace.
      if (pid > 0 && pid != ProcessHandle.current().pid()) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }
}
