/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.demo.ContainerTrace;
import io.charon.evaluation.demo.ContainerTrace.ContainerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskLoadTest {
  @TempDir private Path results;

  @Test
  void containersThatEndedWithoutTheResultOfTheirTaskAreLost() throws IOException {
    Path done = Files.writeString(results.resolve("task-0"), "");
    Path waiting = results.resolve("task-1");
    ContainerTrace killed = task(done, 1, 11, true);
    ContainerTrace successful = task(done, 12, 42, true);
    ContainerTrace killedToo = task(waiting, 2, 5, true);
    ContainerTrace running = task(waiting, 6, 50, false);
    ContainerTrace master =
        new ContainerTrace(address(), ContainerTrace.Role.MASTER, "", 0, 50, true, List.of());

    assertThat(TaskLoad.lost(List.of(successful, killed, running, killedToo, master)))
        .containsExactlyInAnyOrder(killed, killedToo);
  }

  @Test
  void theLastContainerOfATaskWithoutResultIsLostOnceItHasEnded() {
    ContainerTrace killed = task(results.resolve("task-2"), 1, 11, true);

    assertThat(TaskLoad.lost(List.of(killed))).containsExactly(killed);
  }

  private static ContainerTrace task(Path result, double start, double end, boolean ended) {
    return new ContainerTrace(
        address(), ContainerTrace.Role.TASK, result.toString(), start, end, ended, List.of());
  }

  private static ContainerAddress address() {
    return new ContainerAddress("container_1_0001_01_000002", "application_1_0001", "node1");
  }
}
