/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.cpuset.Cores;
import io.charon.nodemanager.cgroup.PseudoFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the CPU time of the whole machine and of each of its CPUs, and the number of runnable
 * threads, from /proc/stat.
 */
final class ProcStat implements Closeable {
  /** USER_HZ, which is 100 on every Linux on which Hadoop runs. */
  private static final double TICKS_PER_SECOND = 100;

  /**
   * Number of fields used of "cpu user nice system idle iowait irq softirq". Guest time is included
   * in user, and steal time belongs to other machines.
   */
  private static final int FIELDS = 7;

  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final String KEY = "cpu";
  private static final String RUNNABLE = "procs_running";

  private final PseudoFile stat;
  private Map<Integer, long[]> ticksOfCores = Map.of();
  private Optional<IOException> failure = Optional.empty();

  ProcStat(Path procRoot) {
    stat = new PseudoFile(procRoot.resolve("stat"));
  }

  /**
   * Reads the file afresh; the other methods return the values of the last read, or throw its
   * failure.
   */
  void read() {
    try {
      stat.read();
      ticksOfCores = stat.indexed(KEY, FIELDS);
      failure = Optional.empty();
    } catch (IOException e) {
      failure = Optional.of(e);
    }
  }

  /** Returns the CPU seconds since boot in which the machine was not idle. */
  double busySeconds() throws IOException {
    check();
    return busySeconds(stat.numbers(KEY, FIELDS));
  }

  /**
   * Returns the same for each online CPU by its number; a CPU with an incomplete line is absent.
   */
  Map<Integer, Double> busySecondsOfCores() throws IOException {
    check();
    Map<Integer, Double> busy = new TreeMap<>();
    ticksOfCores.forEach(
        (number, ticks) -> {
          if (ticks.length == FIELDS) {
            busy.put(number, busySeconds(ticks));
          }
        });
    return busy;
  }

  private static double busySeconds(long[] ticks) {
    long busy = 0;
    for (int i = 0; i < FIELDS; i++) {
      busy += i == IDLE || i == IO_WAIT ? 0 : ticks[i];
    }
    return busy / TICKS_PER_SECOND;
  }

  /** Returns the online CPUs; their numbers may have gaps. */
  Cores cores() throws IOException {
    check();
    if (ticksOfCores.isEmpty()) {
      throw new IOException(stat + " lists no CPU");
    }
    return Cores.of(ticksOfCores.keySet());
  }

  /** Returns the threads that run or wait for a CPU at this moment, including the reader. */
  long runnableThreads() throws IOException {
    check();
    return stat.field(RUNNABLE);
  }

  private void check() throws IOException {
    if (failure.isPresent()) {
      throw new IOException(failure.get().getMessage(), failure.get());
    }
  }

  @Override
  public void close() throws IOException {
    stat.close();
  }
}
