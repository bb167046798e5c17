/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.core.kill.ThrashDetector;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.util.Shell;

/**
 * The killer that the kernel UA killer is compared with, in a process of its own. It polls memory
 * every millisecond and kills as YARN's DefaultContainerExecutor does, by forking a shell that runs
 * {@code kill -9} on the container's session.
 *
 * <p>Each poll reads {@code /proc/meminfo}, as the paper's monitor does, and the usage and limit of
 * the cell, which are the equivalent for a confined node. The killer acts when less than a tenth of
 * the memory is available and the refaults of the container keep growing for the tolerance,
 * detected by the same {@link ThrashDetector} as in the kernel. From onset to decision it therefore
 * waits as long as the other killers, apart from its own delay.
 *
 * <p>It reads process number and cgroup of each victim from standard input. It answers with {@code
 * killed DECISION SIGNALLED} (nanoseconds; the second is the time at which {@code kill} returned),
 * or with {@code gone} if the victim ended before it could be killed.
 */
final class YarnStyleKiller {
  private static final int SIGKILL = 9;
  private static final Duration FLAT = Duration.ofSeconds(1);
  private static final long MIN_PAGES = 10;
  private static final double AVAILABLE_FRACTION = 0.1;
  private static final Path MEMINFO = Path.of("/proc/meminfo");

  private final Path cell;
  private final Duration tolerance;
  private final boolean version2;

  private YarnStyleKiller(Path cell, Duration tolerance) {
    this.cell = cell;
    this.tolerance = tolerance;
    this.version2 = Files.exists(cell.resolve("memory.max"));
  }

  /**
   * Runs until the end of standard input.
   *
   * @param arguments directory of the cell, tolerance in milliseconds
   * @throws IOException if memory cannot be read
   * @throws InterruptedException if interrupted
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    YarnStyleKiller killer =
        new YarnStyleKiller(Path.of(arguments[0]), Duration.ofMillis(Long.parseLong(arguments[1])));
    killer.warmUp();
    System.out.println("ready");
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] victim = line.split(" ", 2);
      System.out.println(killer.watch(victim[0], Path.of(victim[1])));
    }
  }

  /** Runs each code path once, as a NodeManager has forked before and has its classes loaded. */
  private void warmUp() throws IOException {
    isShortOfMemory();
    new MemoryContainer(cell, version2).statistics();
    new Shell.ShellCommandExecutor(new String[] {"bash", "-c", "true"}).execute();
  }

  private String watch(String processId, Path cgroup) throws IOException, InterruptedException {
    MemoryContainer victim = new MemoryContainer(cgroup, version2);
    ThrashDetector detector = new ThrashDetector(tolerance, FLAT, MIN_PAGES);
    Path process = Path.of("/proc", processId);
    while (Files.exists(process)) {
      boolean shortOfMemory = isShortOfMemory();
      if (detector.observe(System.nanoTime(), victim.statistics().refaults(), shortOfMemory)) {
        long decision = System.nanoTime();
        return kill(processId) ? "killed " + decision + " " + System.nanoTime() : "gone";
      }
      Thread.sleep(1);
    }
    return "gone";
  }

  private static boolean kill(String processId) throws IOException {
    try {
      new Shell.ShellCommandExecutor(Shell.getSignalKillCommand(SIGKILL, processId)).execute();
      return true;
    } catch (Shell.ExitCodeException noSuchProcess) {
      return false;
    }
  }

  private boolean isShortOfMemory() throws IOException {
    long limit = number(version2 ? "memory.max" : "memory.limit_in_bytes");
    long used = number(version2 ? "memory.current" : "memory.usage_in_bytes");
    return limit - used < limit * AVAILABLE_FRACTION
        || kilobytes("MemAvailable") < kilobytes("MemTotal") * AVAILABLE_FRACTION;
  }

  private static long kilobytes(String key) throws IOException {
    return Files.readAllLines(MEMINFO).stream()
        .filter(line -> line.startsWith(key + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow(() -> new IOException(MEMINFO + " has no " + key));
  }

  private long number(String file) throws IOException {
    return Long.parseLong(Files.readString(cell.resolve(file)).strip());
  }
}
