/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.machine.Programs;
import io.charon.nodemanager.cgroup.CgroupWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A container of an {@link InterferenceNode} and its first process.
 *
 * @param id name of the container
 * @param cgroup its memory cgroup
 * @param process its first process
 * @param progress progress that the process prints
 * @param startNanos time of its start, {@link System#nanoTime}
 * @param writer writer that created its cgroups
 */
record InterferenceContainer(
    String id,
    Path cgroup,
    Process process,
    ProgressLines progress,
    long startNanos,
    CgroupWriter writer) {

  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Returns the number of its processes that Linux's OOM killer ended. */
  long oomKills() {
    return writer.oomCounts(id).kills();
  }

  /**
   * Returns the bytes that its processes read and wrote, including their children that have ended.
   */
  long transferredBytes() {
    long sum = 0;
    for (long pid : writer.processes(id)) {
      try {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "io"))) {
          if (line.startsWith("rchar: ") || line.startsWith("wchar: ")) {
            sum += Long.parseLong(line.substring("rchar: ".length()));
          }
        }
      } catch (IOException endedMeanwhile) {
        // The kernel adds the bytes of an ended process to its parent's.
      }
    }
    return sum;
  }

  /** Sends SIGKILL to all processes of the container. */
  void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /**
   * Kills all processes of the container and removes it.
   *
   * @throws IOException if the container cannot be removed
   */
  void end() throws IOException, InterruptedException {
    kill();
    Programs.kill(process, id);
    // A process that waits for the disk exits only when the disk has answered.
    long end = System.nanoTime() + TIMEOUT_NANOS;
    while (!writer.removeContainer(id)) {
      if (System.nanoTime() - end > 0) {
        throw new IOException("container " + id + " cannot be removed");
      }
    }
  }
}
