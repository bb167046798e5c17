/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.nodemanager.cgroup.CgroupWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A container of an {@link InterferenceNode} and its first process.
 *
 * @param id its name
 * @param cgroup its memory cgroup
 * @param process its first process
 * @param progress what that says
 * @param startNanos when it was started
 * @param writer made its cgroups
 */
record NodeContainer(
    String id,
    Path cgroup,
    Process process,
    ProgressLines progress,
    long startNanos,
    CgroupWriter writer) {

  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Processes in it that Linux's OOM killer ended. */
  long oomKills() {
    return writer.oomKills(id);
  }

  /** Bytes that its processes read and wrote, and those that they started and that have ended. */
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
        // Whoever started it has its bytes then.
      }
    }
    return sum;
  }

  /** Sends SIGKILL to all that is inside. */
  void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /**
   * Kills what is inside and removes it.
   *
   * @throws IOException if something is left
   */
  void end() throws IOException, InterruptedException {
    kill();
    process.waitFor();
    // Who waits for the disk dies when that has answered.
    long end = System.nanoTime() + TIMEOUT_NANOS;
    while (!writer.removeContainer(id)) {
      if (System.nanoTime() - end > 0) {
        throw new IOException("container " + id + " cannot be removed");
      }
    }
  }
}
