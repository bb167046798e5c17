/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the file {@code stat} of a process. */
public final class ProcessStat {
  /** Index of the start time, clock ticks since boot. */
  public static final int START_TICKS = 22 - 3;

  /** Index of the user time, which the system time follows. */
  private static final int OWN_TICKS = 14 - 3;

  /** Index of the same times of children that have ended. */
  private static final int CHILDREN_TICKS = 16 - 3;

  /** USER_HZ of every architecture on which Charon runs. */
  private static final double TICKS_PER_SECOND = 100;

  private ProcessStat() {}

  /**
   * Returns the fields after the process name, which may contain any characters. The first of them
   * is field 3 in proc_pid_stat(5).
   *
   * @param process directory of the process below proc
   * @throws IOException if the process does not exist any more
   */
  public static String[] fields(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
  }

  /**
   * Returns the CPU time of a process, with its threads that have ended, in seconds.
   *
   * @param process directory of the process below proc
   * @throws IOException if the process does not exist any more
   */
  public static double ownCpuSeconds(Path process) throws IOException {
    return seconds(process, OWN_TICKS);
  }

  /**
   * Returns the CPU time of the children of a process that have ended, in seconds.
   *
   * @param process directory of the process below proc
   * @throws IOException if the process does not exist any more
   */
  public static double childrenCpuSeconds(Path process) throws IOException {
    return seconds(process, CHILDREN_TICKS);
  }

  private static double seconds(Path process, int userTicks) throws IOException {
    String[] fields = fields(process);
    return (Long.parseLong(fields[userTicks]) + Long.parseLong(fields[userTicks + 1]))
        / TICKS_PER_SECOND;
  }
}
