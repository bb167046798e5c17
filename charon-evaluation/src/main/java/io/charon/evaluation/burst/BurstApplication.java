/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.evaluation.machine.Programs;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An application of the pool: a process that works in bursts, in a cgroup with a quota. */
final class BurstApplication {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long PERIOD_MICROS = 100_000;

  private final String id;
  private final CpuBandwidth bandwidth;
  private final Process worker;
  private final BufferedReader said;

  /**
   * Starts the process.
   *
   * @param id name of its cgroup
   * @param cgroup directory of the cgroup in the hierarchy with the cpu controller
   * @param version cgroup version of that hierarchy
   */
  BurstApplication(String id, Path cgroup, CgroupVersion version) throws IOException {
    this.id = id;
    this.bandwidth = new CpuBandwidth(cgroup, version);
    this.worker =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", // threads of the JVM use the same quota
                "-XX:TieredStopAtLevel=1",
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                BurstWorker.class.getName())
            .redirectError(Redirect.INHERIT)
            .start();
    this.said = worker.inputReader(StandardCharsets.US_ASCII);
  }

  /**
   * Waits until the process has started and then moves it into its cgroups. Moving it earlier would
   * throttle its start.
   */
  void enter(List<Path> joins) throws IOException {
    if (!BurstWorker.READY.equals(said.readLine())) {
      throw new IOException("the program that works in bursts did not start");
    }
    for (Path join : joins) {
      Files.writeString(join, Long.toString(worker.pid()));
    }
  }

  /** Sets the quota, or removes it if {@code wanted} is empty. */
  void setQuota(Optional<Bandwidth> wanted) throws IOException {
    if (wanted.isEmpty()) {
      bandwidth.unlimit(PERIOD_MICROS, 0);
      return;
    }
    if (bandwidth.read().isEmpty()) {
      String unused = bandwidth.limit(wanted.get().cores());
    }
    Bandwidth seen =
        bandwidth
            .read()
            .orElseThrow(() -> new IOException(bandwidth.file() + " does not keep a quota"));
    String unused = bandwidth.change(seen, wanted.get());
  }

  /** Sends an order to the process and returns immediately. */
  void send(BurstWorker.Order order) throws IOException {
    worker.getOutputStream().write((order.line() + "\n").getBytes(StandardCharsets.US_ASCII));
    worker.getOutputStream().flush();
  }

  /** Waits until all bursts have ended and returns their delays in milliseconds. */
  List<Double> awaitDelays() throws IOException {
    List<Double> late = new ArrayList<>();
    for (String line = said.readLine(); !BurstWorker.READY.equals(line); line = said.readLine()) {
      if (line == null) {
        throw new IOException(id + " ended before its bursts");
      }
      late.add(Long.parseLong(line) / NANOS_PER_MILLI);
    }
    return late;
  }

  String id() {
    return id;
  }

  /** Kills the process. */
  void stop() throws IOException, InterruptedException {
    Programs.kill(worker, id);
  }
}
