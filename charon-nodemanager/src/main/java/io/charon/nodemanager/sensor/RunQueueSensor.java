/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.mechanism.Measurement;
import io.charon.nodemanager.cgroup.CgroupChildren;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Measures how long the foreground's threads were runnable and waited for a CPU, seconds per
 * second, summed over all threads: the second number of their schedstat. Works without pressure
 * stall information and on cgroup v1 alone, and costs two system calls per thread.
 */
final class RunQueueSensor {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern THREAD = Pattern.compile("[1-9]\\d{0,9}");

  private final NodeSides sides;
  private final Path procRoot;
  private Map<String, Waited> waited = Map.of();
  private Set<Path> cgroups = Set.of();
  private boolean read;
  private long readNanos;

  /** The time that a thread has waited since its start, and the cgroup in which it was found. */
  private record Waited(Path cgroup, long nanos) {}

  RunQueueSensor(NodeSides sides, Path procRoot) {
    this.sides = sides;
    this.procRoot = procRoot;
  }

  /** Returns why this machine lacks the signal; empty if it has it. */
  Optional<String> unavailable() {
    return Files.isReadable(procRoot.resolve("self/schedstat"))
        ? Optional.empty()
        : Optional.of("the kernel has no schedstat of threads (CONFIG_SCHED_INFO)");
  }

  Measurement read(long nanos) {
    Optional<CgroupHierarchy> hierarchy =
        sides.unified().or(() -> sides.hierarchy(CgroupController.CPU));
    if (hierarchy.isEmpty()) {
      return Measurement.missing("no cgroup hierarchy lists the threads of the foreground");
    }
    List<Path> foreground = sides.foreground(hierarchy.get());
    if (foreground.isEmpty()) {
      return Measurement.missing("no cgroup of the foreground exists");
    }
    Map<String, Waited> threads = new HashMap<>();
    Set<Path> visited = new HashSet<>();
    try {
      for (Path cgroup : foreground) {
        add(cgroup, hierarchy.get(), threads, visited);
      }
    } catch (IOException e) {
      return Measurement.missing(e.getMessage());
    }
    boolean known = read && nanos > readNanos;
    long elapsed = nanos - readNanos;
    long sum =
        threads.entrySet().stream()
            .mapToLong(thread -> newNanos(thread.getKey(), thread.getValue(), elapsed))
            .sum();
    waited = threads;
    cgroups = visited;
    read = true;
    readNanos = nanos;
    return known
        ? Measurement.of((double) sum / elapsed)
        : Measurement.missing("a rate needs two readings");
  }

  /** Returns how long a thread of the foreground has waited since the last reading. */
  private long newNanos(String thread, Waited now, long elapsed) {
    Waited before = waited.get(thread);
    if (before != null && now.nanos() >= before.nanos()) {
      return now.nanos() - before.nanos();
    }
    // A lower value belongs to a new thread with a reused id. An unknown thread is new as well,
    // unless it came with its cgroup, such as a promoted container, or has waited for longer than a
    // new thread can exist.
    boolean isNew = before != null || (cgroups.contains(now.cgroup()) && now.nanos() <= elapsed);
    return isNew ? now.nanos() : 0;
  }

  /**
   * Adds a cgroup and all cgroups below it, and their threads; a cgroup that vanishes meanwhile has
   * none.
   */
  private void add(
      Path cgroup, CgroupHierarchy hierarchy, Map<String, Waited> found, Set<Path> visited)
      throws IOException {
    visited.add(cgroup);
    Path threads = CgroupFile.THREADS.path(cgroup, hierarchy.version());
    try {
      for (String thread : Files.readAllLines(threads)) {
        if (THREAD.matcher(thread).matches()) {
          waited(thread).ifPresent(nanos -> found.put(thread, new Waited(cgroup, nanos)));
        }
      }
      for (Path child : CgroupChildren.of(cgroup)) {
        add(child, hierarchy, found, visited);
      }
    } catch (IOException e) {
      if (Files.isDirectory(cgroup)) {
        throw new IOException("cannot read " + threads + ": " + e, e);
      }
    }
  }

  private Optional<Long> waited(String thread) {
    try {
      byte[] content = Files.readAllBytes(procRoot.resolve(thread).resolve("schedstat"));
      String[] numbers = BLANKS.split(new String(content, StandardCharsets.US_ASCII).strip(), -1);
      return numbers.length < 2 ? Optional.empty() : Optional.of(Long.parseLong(numbers[1]));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty(); // the thread has ended
    }
  }
}
