/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The threads of a container, observed by the kernel's counters. */
final class Threads {
  private Threads() {}

  /**
   * Returns whether no thread ran for a second; a task that is not frozen wakes up every 100 ms.
   */
  static boolean areStalled(Path cgroup) throws Exception {
    long before = switches(cgroup);
    Thread.sleep(1000);
    return before > 0 && switches(cgroup) == before;
  }

  /** Returns the I/O class of each thread, such as idle. */
  static List<String> ioClasses(Path cgroup) throws Exception {
    List<String> command = new ArrayList<>(List.of("ionice", "-p"));
    for (String process : Files.readAllLines(cgroup.resolve("cgroup.procs"))) {
      threads(process).forEach(thread -> command.add(thread.getFileName().toString()));
    }
    try (BufferedReader said = new ProcessBuilder(command).start().inputReader()) {
      return said.lines().toList();
    }
  }

  private static long switches(Path cgroup) throws IOException {
    long switches = 0;
    for (String process : Files.readAllLines(cgroup.resolve("cgroup.procs"))) {
      for (Path thread : threads(process)) {
        switches +=
            lines(thread.resolve("status")).stream()
                .filter(line -> line.contains("voluntary_ctxt_switches:"))
                .mapToLong(line -> Long.parseLong(line.split(":\\s*", -1)[1]))
                .sum();
      }
    }
    return switches;
  }

  /** Returns no threads for a process that has just ended; a stalled process does not end. */
  private static List<Path> threads(String process) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", process, "task"))) {
      return threads.toList();
    } catch (IOException | UncheckedIOException ended) {
      return List.of();
    }
  }

  /** Returns no lines for a thread that has just ended. */
  private static List<String> lines(Path status) {
    try {
      return Files.readAllLines(status);
    } catch (IOException ended) {
      return List.of();
    }
  }
}
