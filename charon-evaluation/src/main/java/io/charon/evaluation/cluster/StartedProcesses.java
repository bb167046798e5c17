/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * The processes of one cluster: every container's command line names a directory below the
 * cluster's work directory, also when its NodeManager is gone and the process tree no longer leads
 * to it.
 */
final class StartedProcesses {
  private StartedProcesses() {}

  /** Living processes whose command line names a directory. */
  static List<ProcessHandle> naming(Path directory) {
    String needle = directory + "/";
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(needle))
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .toList();
  }

  /** Kills them (SIGKILL), again and again until none is left. */
  static void killAll(Path directory) {
    for (int attempt = 0; attempt < 50; attempt++) {
      List<ProcessHandle> left = naming(directory);
      if (left.isEmpty()) {
        return;
      }
      left.forEach(ProcessHandle::destroyForcibly);
      Pauses.sleep(100);
    }
  }
}
