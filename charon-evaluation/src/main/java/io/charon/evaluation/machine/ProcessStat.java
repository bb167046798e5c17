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

/** What the kernel says of a process in its file {@code stat}. */
public final class ProcessStat {
  /** When it started, clock ticks since the machine did. */
  public static final int START_TICKS = 22 - 3;

  private ProcessStat() {}

  /**
   * The fields behind the name, which may hold anything: proc_pid_stat(5) counts the first of them
   * as the third.
   *
   * @param process its directory below proc
   * @throws IOException if there is no such process any more
   */
  public static String[] fields(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
  }
}
