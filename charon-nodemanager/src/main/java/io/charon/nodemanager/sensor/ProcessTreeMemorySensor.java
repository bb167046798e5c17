/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.PseudoFile;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads the memory of containers without cgroups: RssAnon + RssShmem of /proc/PID/status, summed
 * over each container's process tree.
 *
 * <p>Less precise than {@link ContainerMemorySensor}: shared memory counts once per process that
 * maps it, locked file pages do not count (VmLck overlaps the others), and a process whose parent
 * has exited is no longer found.
 */
public final class ProcessTreeMemorySensor {
  private static final int BYTES_PER_KIB = 1024;

  private final Path procRoot;

  /** Creates a sensor on a proc file system, usually /proc. */
  public ProcessTreeMemorySensor(Path procRoot) {
    this.procRoot = procRoot;
  }

  /**
   * Scans all processes once.
   *
   * @param rootPids the first process of each container, by container id
   * @return bytes by container id; a container whose first process is gone is absent
   * @throws IOException if the processes cannot be listed
   */
  public Map<String, Long> read(Map<String, Long> rootPids) throws IOException {
    Map<Long, Long> bytes = new HashMap<>();
    Map<Long, List<Long>> children = new HashMap<>();
    scan(bytes, children);
    Map<String, Long> containers = new TreeMap<>();
    rootPids.forEach(
        (id, root) -> {
          if (bytes.containsKey(root)) {
            containers.put(
                id,
                tree(root, children).stream().mapToLong(pid -> bytes.getOrDefault(pid, 0L)).sum());
          }
        });
    return containers;
  }

  /**
   * Returns the ids of a process and of all processes below it.
   *
   * @return empty if that process is gone
   * @throws IOException if the processes cannot be listed
   */
  public Set<Long> processes(long root) throws IOException {
    Map<Long, Long> bytes = new HashMap<>();
    Map<Long, List<Long>> children = new HashMap<>();
    scan(bytes, children);
    return bytes.containsKey(root) ? tree(root, children) : Set.of();
  }

  private void scan(Map<Long, Long> bytes, Map<Long, List<Long>> children) throws IOException {
    try (DirectoryStream<Path> processes =
        Files.newDirectoryStream(procRoot, ProcessTreeMemorySensor::isProcess)) {
      for (Path process : processes) {
        try (PseudoFile status = new PseudoFile(process.resolve("status"))) {
          status.read();
          long pid = Long.parseLong(process.getFileName().toString());
          // Kernel threads and zombies have no memory and therefore lack these fields.
          long kib = Math.max(0, status.find("RssAnon")) + Math.max(0, status.find("RssShmem"));
          children.computeIfAbsent(status.field("PPid"), p -> new ArrayList<>()).add(pid);
          bytes.put(pid, BYTES_PER_KIB * kib);
        } catch (IOException e) {
          // The process has exited since it was listed.
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static boolean isProcess(Path entry) {
    String name = entry.getFileName().toString();
    return !name.isEmpty()
        && name.length() <= 10
        && name.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static Set<Long> tree(long root, Map<Long, List<Long>> children) {
    // Processes start and exit during the scan and pids are reused, so stale parents may form a
    // loop.
    Set<Long> seen = new HashSet<>(Set.of(root));
    Deque<Long> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      for (long child : children.getOrDefault(open.remove(), List.of())) {
        if (seen.add(child)) {
          open.add(child);
        }
      }
    }
    return seen;
  }
}
