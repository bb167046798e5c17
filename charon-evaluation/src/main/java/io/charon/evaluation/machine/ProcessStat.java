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

/** What the file {@code stat} of a process tells at one moment. */
public final class ProcessStat {
  // Indexes of the fields after the name, of which the first is field 3 in proc_pid_stat(5).
  private static final int STATE = 0;

  /** The user time, which the system time follows. */
  private static final int OWN_TICKS = 14 - 3;

  /** The same times of children that have ended. */
  private static final int CHILDREN_TICKS = 16 - 3;

  private static final int START_TICKS = 22 - 3;

  /** USER_HZ of every architecture on which Charon runs. */
  private static final double TICKS_PER_SECOND = 100;

  private final String name;
  private final String[] fields;

  private ProcessStat(String name, String[] fields) {
    this.name = name;
    this.fields = fields;
  }

  /**
   * Reads the file.
   *
   * @param process directory of the process below proc
   * @throws IOException if the process does not exist any more
   */
  public static ProcessStat read(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
    int end = stat.lastIndexOf(')'); // the name may contain any characters
    return new ProcessStat(
        stat.substring(stat.indexOf('(') + 1, end), stat.substring(end + 2).split(" ", -1));
  }

  /** Returns the name of the program, which the process changes when it executes another one. */
  public String name() {
    return name;
  }

  /** Returns whether the process has ended and is only waited for by its parent. */
  public boolean ended() {
    return fields[STATE].equals("Z") || fields[STATE].equals("X");
  }

  /** Returns the start time, clock ticks since boot. */
  public long startTicks() {
    return Long.parseLong(fields[START_TICKS]);
  }

  /** Returns the start time, seconds since boot. */
  public double startSeconds() {
    return startTicks() / TICKS_PER_SECOND;
  }

  /** Returns the CPU time of the process, with its threads that have ended, in seconds. */
  public double ownCpuSeconds() {
    return seconds(OWN_TICKS);
  }

  /** Returns the CPU time of the children of the process that have ended, in seconds. */
  public double childrenCpuSeconds() {
    return seconds(CHILDREN_TICKS);
  }

  private double seconds(int userTicks) {
    return (Long.parseLong(fields[userTicks]) + Long.parseLong(fields[userTicks + 1]))
        / TICKS_PER_SECOND;
  }
}
