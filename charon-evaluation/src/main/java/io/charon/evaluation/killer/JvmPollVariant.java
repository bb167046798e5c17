/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A killer in the situation of a NodeManager: {@link YarnStyleKiller} in a JVM of its own. The JVM
 * is inside the cell, because a NodeManager runs on the machine that is short of memory. The
 * swappiness of its cgroup is 60, the kernel's default (cgroup v2 has no swappiness per cgroup).
 */
final class JvmPollVariant implements KillVariant {
  private static final String SWAPPINESS = "60";
  private static final int ROOM_TO_START = 512;
  private static final long POLLING_MILLIS = 1000;

  private final PressureCell cell;
  private final Duration tolerance;
  private final Duration timeout;
  private OptionalInt workingSetMegabytes = OptionalInt.empty();

  JvmPollVariant(PressureCell cell, Duration tolerance, Duration timeout) {
    this.cell = cell;
    this.tolerance = tolerance;
    this.timeout = timeout;
  }

  @Override
  public String name() {
    return "jvm-poll+fork-exec";
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public Session open() throws IOException, InterruptedException {
    cell.limit(ROOM_TO_START);
    if (workingSetMegabytes.isEmpty()) {
      workingSetMegabytes = OptionalInt.of(measureWorkingSet());
    }
    return start();
  }

  /**
   * Measures the memory in MiB that the JVM needs while it polls: the memory that returns within a
   * second after all of it was reclaimed. The measurement uses a separate JVM; the memory of the
   * JVM that kills is not reclaimed beforehand.
   */
  private int measureWorkingSet() throws IOException, InterruptedException {
    JvmSession session = start();
    try {
      session.watch(session.nodeManager(), ProcessHandle.current().pid());
      session.nodeManager().reclaim();
      Thread.sleep(POLLING_MILLIS);
      return (int) (session.nodeManager().residentBytes() >> 20);
    } finally {
      session.end();
    }
  }

  private JvmSession start() throws IOException, InterruptedException {
    MemoryContainer nodeManager = cell.container("nodemanager");
    if (!cell.version2()) {
      Files.writeString(nodeManager.directory().resolve("memory.swappiness"), SWAPPINESS);
    }
    Process process = nodeManager.start(Redirect.PIPE, command());
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    if (!"ready".equals(line)) {
      nodeManager.remove();
      throw new IOException("the polling JVM does not start: " + line);
    }
    return new JvmSession(nodeManager, process, output, workingSetMegabytes.orElse(0));
  }

  private List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xms32m",
        "-Xmx32m",
        "-XX:+UseSerialGC",
        "-Dlog4j.configuration=charon-cli-log4j.properties",
        "-cp",
        System.getProperty("java.class.path"),
        YarnStyleKiller.class.getName(),
        cell.directory().toString(),
        Long.toString(tolerance.toMillis()));
  }

  private record JvmSession(
      MemoryContainer nodeManager, Process process, BufferedReader output, int megabytes)
      implements Session {
    @Override
    public int megabytesInCell() {
      return megabytes;
    }

    @Override
    public boolean isBroken() {
      return !process.isAlive();
    }

    @Override
    public void watch(MemoryContainer victim, long processId) {
      try {
        String line = processId + " " + victim.directory() + "\n";
        process.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
      } catch (IOException killedByLinux) {
        // The JVM then kills nothing and its output ends, which is the result of this attempt.
      }
    }

    @Override
    public Optional<KillTimes> times(MemoryContainer victim, KillObserver observer)
        throws IOException {
      String line = output.readLine();
      if (line == null || !line.startsWith("killed ")) {
        return Optional.empty();
      }
      String[] fields = line.split(" ", -1);
      return Optional.of(
          new KillTimes(Long.parseLong(fields[1]), OptionalLong.of(Long.parseLong(fields[2]))));
    }

    @Override
    public void end() throws IOException, InterruptedException {
      nodeManager.remove();
    }
  }
}
