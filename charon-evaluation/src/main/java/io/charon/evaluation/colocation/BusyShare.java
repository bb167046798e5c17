/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The share of the time in which a CPU was not idle. */
final class BusyShare implements Utilization {
  private static final Path STATISTICS = Path.of("/proc/stat");

  /**
   * Fields of a line of /proc/stat that are read: name, user, nice, system, idle, iowait, irq,
   * softirq. Steal is left out, because it is time of other virtual machines.
   */
  private static final int FIELDS = 8;

  private static final int IDLE = 4;
  private static final int IO_WAIT = 5;

  private final int cpu;
  private final long busyBefore;
  private final long allBefore;

  /** Starts to measure one CPU. */
  BusyShare(int cpu) throws IOException {
    this.cpu = cpu;
    List<Long> ticks = ticks();
    this.allBefore = all(ticks);
    this.busyBefore = busy(ticks);
  }

  @Override
  public double share() throws IOException {
    List<Long> ticks = ticks();
    return (double) (busy(ticks) - busyBefore) / Math.max(1, all(ticks) - allBefore);
  }

  private List<Long> ticks() throws IOException {
    String name = "cpu" + cpu + " ";
    String line =
        Files.readAllLines(STATISTICS).stream()
            .filter(text -> text.startsWith(name))
            .findFirst()
            .orElseThrow(() -> new IOException(STATISTICS + " has no " + name.strip()));
    return Arrays.stream(line.split(" ", -1)).skip(1).limit(FIELDS - 1).map(Long::valueOf).toList();
  }

  private static long all(List<Long> ticks) {
    return ticks.stream().mapToLong(Long::longValue).sum();
  }

  private static long busy(List<Long> ticks) {
    return all(ticks) - ticks.get(IDLE - 1) - ticks.get(IO_WAIT - 1);
  }
}
