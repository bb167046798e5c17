/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.nodemanager.sensor.MeminfoReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The state of the machine before the demo starts anything.
 *
 * @param processors number of processors that this process may use
 * @param availableBytes memory available to programs; empty if the kernel does not report it
 * @param temporary directory of the clusters' files
 * @param usableBytes free disk space in that directory
 */
record DemoMachine(int processors, OptionalLong availableBytes, Path temporary, long usableBytes) {
  /** Memory for heaps and code of a ResourceManager, the NodeManagers, the demo and its clients. */
  private static final long DAEMON_BYTES = 1L << 30;

  /** Disk space for input, logs and sort files of tasks; about 300 MiB were observed. */
  private static final long FILE_BYTES = 1L << 30;

  static DemoMachine ofThis() throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    return new DemoMachine(
        Runtime.getRuntime().availableProcessors(),
        availableMemory(),
        temporary,
        Files.getFileStore(temporary).getUsableSpace());
  }

  private static OptionalLong availableMemory() {
    try (MeminfoReader meminfo = new MeminfoReader(Path.of("/proc"))) {
      return OptionalLong.of(meminfo.read().availableBytes());
    } catch (IOException notTold) {
      return OptionalLong.empty();
    }
  }

  /**
   * Checks whether the demo can run on this machine.
   *
   * @return remarks for the user about the expected result
   * @throws IOException if the demo cannot run; the message says what is missing and how to fix it
   */
  List<String> check(WorkloadPlan plan) throws IOException {
    if (usableBytes < FILE_BYTES) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s has %d MiB left, and the demo writes up to %d MiB: free space, or set "
                  + "java.io.tmpdir (JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIRECTORY) to another disk",
              temporary,
              usableBytes >> 20,
              FILE_BYTES >> 20));
    }
    long nodesMb = (long) plan.nodes() * plan.nodeMemoryMb();
    long needed = (nodesMb << 20) + DAEMON_BYTES;
    if (availableBytes.isPresent() && availableBytes.getAsLong() < needed) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%d MiB of memory are available, and %d nodes of %d MiB with their daemons need "
                  + "%d: end other programs, or make the nodes smaller with --node-memory-mb",
              availableBytes.getAsLong() >> 20,
              plan.nodes(),
              plan.nodeMemoryMb(),
              needed >> 20));
    }
    List<String> remarks = new ArrayList<>();
    if (processors < 2) {
      remarks.add(
          "This machine has one processor: production, best-effort and the daemons take "
              + "turns on it. Results are right all the same; times are promised only with two or "
              + "more processors.");
    }
    return remarks;
  }
}
