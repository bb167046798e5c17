/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import io.charon.evaluation.machine.ProcessStat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The processes of this machine. */
public final class ProcessTable {
  private final Path proc;

  /**
   * Creates the table.
   *
   * @param proc where proc is mounted
   */
  public ProcessTable(Path proc) {
    this.proc = proc;
  }

  /** Returns a living process; empty if there is none, or it is a zombie. */
  public Optional<ProcessIdentity> find(long pid) {
    try {
      ProcessStat stat = ProcessStat.read(proc.resolve(Long.toString(pid)));
      return stat.ended()
          ? Optional.empty()
          : Optional.of(new ProcessIdentity(pid, stat.startTicks()));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /** Returns this process. */
  ProcessIdentity self() {
    long pid = ProcessHandle.current().pid();
    return find(pid)
        .orElseThrow(() -> new IllegalStateException(proc + "/" + pid + "/stat cannot be read"));
  }

  /** Returns whether a process lives. */
  boolean isAlive(ProcessIdentity process) {
    return find(process.pid()).equals(Optional.of(process));
  }
}
