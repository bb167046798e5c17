/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.mechanism.Measurement;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Measures how long the foreground's threads were runnable and waited for a CPU, seconds per
 * second, summed over all threads: the second number of their schedstat. Works without pressure
 * stall information and on cgroup v1 alone, and costs two system calls per thread.
 */
final class RunQueueSensor {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern THREAD = Pattern.compile("[1-9]\\d{0,9}");

  private final NodeSides sides;
  private final Path procRoot;
  private Map<String, Long> waitedNanos = new HashMap<>();
  private boolean read;
  private long readNanos;

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
    List<Path> cgroups = sides.foreground(hierarchy.get());
    if (cgroups.isEmpty()) {
      return Measurement.missing("no cgroup of the foreground exists");
    }
    Map<String, Long> now = new HashMap<>();
    try {
      for (Path cgroup : cgroups) {
        add(cgroup, hierarchy.get(), now);
      }
    } catch (IOException e) {
      return Measurement.missing(e.getMessage());
    }
    return rate(nanos, now);
  }

  private Measurement rate(long nanos, Map<String, Long> now) {
    double waited = 0;
    for (Map.Entry<String, Long> thread : now.entrySet()) {
      long before = waitedNanos.getOrDefault(thread.getKey(), 0L);
      // A lower value belongs to a new thread with a reused id, so its whole waiting time is new.
      waited += thread.getValue() >= before ? thread.getValue() - before : thread.getValue();
    }
    boolean known = read && nanos > readNanos;
    double seconds = (nanos - readNanos) / NANOS_PER_SECOND;
    waitedNanos = now;
    read = true;
    readNanos = nanos;
    return known
        ? Measurement.of(waited / NANOS_PER_SECOND / seconds)
        : Measurement.missing("a rate needs two readings");
  }

  /**
   * Adds the threads of a cgroup and of all cgroups below it; a cgroup that vanishes meanwhile has
   * none.
   */
  private void add(Path cgroup, CgroupHierarchy hierarchy, Map<String, Long> waited)
      throws IOException {
    Path threads = CgroupFile.THREADS.path(cgroup, hierarchy.version());
    try {
      for (String thread : Files.readAllLines(threads)) {
        if (THREAD.matcher(thread).matches()) {
          waited(thread).ifPresent(nanos -> waited.put(thread, nanos));
        }
      }
      try (DirectoryStream<Path> children =
          Files.newDirectoryStream(
              cgroup, entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))) {
        for (Path child : children) {
          add(child, hierarchy, waited);
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
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
