/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * One memory cgroup inside a cell, which stands for a container of a node.
 *
 * @param directory directory of the cgroup in the hierarchy of the memory controller
 * @param version2 whether that hierarchy is cgroup v2
 */
record MemoryContainer(Path directory, boolean version2) {
  private static final String ENTER_AND_RUN =
      "echo $$ > \"$1\"/cgroup.procs && shift && exec setsid \"$@\"";
  private static final int REMOVAL_ATTEMPTS = 100;

  /** Returns the number by which the kernel and {@code ua-killer} identify the cgroup. */
  long id() throws IOException {
    return (Long) Files.getAttribute(directory, "unix:ino");
  }

  /**
   * Starts a program inside the cgroup, in a session of its own as YARN starts a container, and
   * waits until it has entered the cgroup.
   *
   * @param output destination of the program's standard output; standard error is discarded
   */
  Process start(Redirect output, List<String> command) throws IOException, InterruptedException {
    List<String> whole =
        new ArrayList<>(List.of("sh", "-c", ENTER_AND_RUN, "sh", directory.toString()));
    whole.addAll(command);
    Process process =
        new ProcessBuilder(whole).redirectOutput(output).redirectError(Redirect.DISCARD).start();
    while (process.isAlive() && !isPopulated()) {
      Thread.sleep(1);
    }
    return process;
  }

  /** Returns whether the cgroup contains any process. */
  boolean isPopulated() throws IOException {
    return !Files.readString(directory.resolve("cgroup.procs")).isBlank();
  }

  /** Returns the kernel's statistics of the cgroup, including nested cgroups. */
  MemoryStatistics statistics() throws IOException {
    return MemoryStatistics.of(
        Files.readString(directory.resolve("memory.stat")),
        version2 ? OptionalLong.of(number("memory.swap.current")) : OptionalLong.empty());
  }

  /** Reclaims as much as the kernel can: page cache, and anonymous memory to swap. */
  void reclaim() throws IOException {
    if (!version2) {
      Files.writeString(directory.resolve("memory.force_empty"), "0");
      return;
    }
    try {
      Files.writeString(
          directory.resolve("memory.reclaim"), Long.toString(number("memory.current")));
    } catch (IOException someIsLeft) {
      // The kernel reports an error if it cannot reclaim the whole amount.
    }
  }

  /** Returns the memory in use without swap, in bytes. */
  long residentBytes() throws IOException {
    return number(version2 ? "memory.current" : "memory.usage_in_bytes");
  }

  /** Kills the processes inside and removes the cgroup. */
  void remove() throws IOException, InterruptedException {
    for (int attempt = 0; attempt < REMOVAL_ATTEMPTS && Files.isDirectory(directory); attempt++) {
      killAll();
      try {
        Files.delete(directory);
        return;
      } catch (IOException stillInUse) {
        Thread.sleep(20);
      }
    }
  }

  /** Sends SIGKILL to every process inside. */
  void killAll() throws IOException {
    try (Stream<String> processes = Files.lines(directory.resolve("cgroup.procs"))) {
      processes
          .map(Long::valueOf)
          .flatMap(pid -> ProcessHandle.of(pid).stream())
          .forEach(ProcessHandle::destroyForcibly);
    }
  }

  private long number(String file) throws IOException {
    return Long.parseLong(Files.readString(directory.resolve(file)).strip());
  }
}
