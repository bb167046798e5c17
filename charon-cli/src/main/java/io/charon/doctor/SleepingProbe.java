/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A {@code sleep} process that is killed when closed, and otherwise ends by itself. */
final class SleepingProbe implements ProbeProcess {
  private static final String SECONDS = "30";
  private static final Duration END = Duration.ofSeconds(1);

  private final Process process;
  private final Path proc;

  private SleepingProbe(Process process, Path proc) {
    this.process = process;
    this.proc = proc;
  }

  /**
   * Starts a process.
   *
   * @param proc mount point of procfs
   * @return the process
   * @throws IOException if there is no {@code sleep} program
   */
  static SleepingProbe start(Path proc) throws IOException {
    Process process = new ProcessBuilder("sleep", SECONDS).start();
    return new SleepingProbe(process, proc.resolve(Long.toString(process.pid())));
  }

  @Override
  public void writeOomScoreAdj(int score) throws IOException {
    Files.writeString(oomScoreAdj(), Integer.toString(score));
  }

  /** The file that holds the score of the process. */
  Path oomScoreAdj() {
    return proc.resolve("oom_score_adj");
  }

  @Override
  public String enter(Path cgroup) throws IOException {
    Files.writeString(
        cgroup.resolve("cgroup.procs"), Long.toString(process.pid()), StandardOpenOption.WRITE);
    return Files.readString(proc.resolve("cgroup"));
  }

  @Override
  public void close() {
    try {
      process.destroyForcibly().waitFor(END.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
