/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.machine.Programs;
import io.charon.nodemanager.cgroup.CgroupWriter;
import java.io.IOException;

/**
 * A container of a {@link ColocatedNode} and its first process.
 *
 * @param id name of the container
 * @param process first process of the container
 * @param writer writer that created its cgroups
 */
record ColocatedContainer(String id, Process process, CgroupWriter writer) {

  /**
   * Kills the processes of the container and removes its cgroups.
   *
   * @throws IOException if the cgroups cannot be removed
   */
  void end() throws IOException, InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    Programs.kill(process, id);
    if (!writer.removeContainer(id)) {
      throw new IOException("container " + id + " cannot be removed");
    }
  }
}
