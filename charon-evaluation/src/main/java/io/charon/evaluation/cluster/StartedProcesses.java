/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * Finds the processes of one cluster. The command line of every container names a directory below
 * the cluster's work directory, which also finds containers whose NodeManager is gone and that are
 * no longer reachable through the process tree.
 */
final class StartedProcesses {
  private StartedProcesses() {}

  /**
   * Returns the living processes whose command line names a file below a directory, without this
   * process.
   */
  static List<ProcessHandle> naming(Path directory) {
    String needle = directory + "/";
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(needle))
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .toList();
  }

  /** Kills these processes (SIGKILL) repeatedly until none is left, for at most about 5 s. */
  static void killAll(Path directory) {
    for (int attempt = 0; attempt < 50; attempt++) {
      List<ProcessHandle> left = naming(directory);
      if (left.isEmpty()) {
        return;
      }
      left.forEach(ProcessHandle::destroyForcibly);
      Sleeps.sleep(100);
    }
  }
}
