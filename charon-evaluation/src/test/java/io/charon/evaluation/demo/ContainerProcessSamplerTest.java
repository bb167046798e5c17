/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.demo.ContainerTrace.ContainerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerProcessSamplerTest {
  private static final String CONTAINER = "container_e02_1700000000000_0003_01_000002";
  private static final String DIRECTORY =
      "/tmp/charon-cluster-1/node2/containers/logs/application_1700000000000_0003/" + CONTAINER;

  @TempDir private Path proc;

  @Test
  void addsUpTheProcessesOfAContainer() throws IOException {
    process(10, "bash\0-c\0java " + DIRECTORY + "/stdout", 20, 10, 500, 1000);
    process(
        11,
        "java\0-Dlog=" + DIRECTORY + "\0YarnChild\0attempt_1700000000000_0003_r_000000_0\0",
        150,
        50,
        600,
        200_000);
    process(12, "java\0NodeManager\0/tmp/charon-cluster-1/node2/conf", 1, 1, 1, 1);
    process(13, "java\0-Dlog=/tmp/charon-cluster-12/node2/containers/x", 1, 1, 1, 1);

    Map<String, ContainerProcessSampler.Use> uses =
        new ContainerProcessSampler(proc, Path.of("/tmp/charon-cluster-1")).containers();

    assertThat(uses)
        .containsExactly(
            Map.entry(
                CONTAINER,
                new ContainerProcessSampler.Use(
                    new ContainerAddress(CONTAINER, "application_1700000000000_0003", "node2"),
                    ContainerTrace.Role.REDUCE,
                    "attempt_1700000000000_0003_r_000000_0",
                    5.0,
                    2 * 201_000L * 1024,
                    2.3)));
  }

  @Test
  void recognizesAPacedTaskByItsResult() throws IOException {
    process(
        10,
        "/tmp/input/paced-task\0sort\0/tmp/input\0/tmp/charon-cluster-1/job-3/task-results/task-7\0"
            + DIRECTORY,
        1,
        1,
        500,
        1000);

    assertThat(new ContainerProcessSampler(proc, Path.of("/tmp/charon-cluster-1")).containers())
        .extractingByKey(CONTAINER)
        .returns(ContainerTrace.Role.TASK, ContainerProcessSampler.Use::role)
        .returns(
            "/tmp/charon-cluster-1/job-3/task-results/task-7",
            ContainerProcessSampler.Use::attempt);
  }

  @Test
  void aProcessIsAContainersOnceItExecutesItsScript() throws IOException {
    ContainerProcessSampler processes =
        new ContainerProcessSampler(proc, Path.of("/tmp/charon-cluster-1"));
    process(10, "java\0NodeManager\0", 1, 1, 500, 1000);
    assertThat(processes.containers()).isEmpty();

    process(10, "bash\0" + DIRECTORY + "/default_container_executor.sh", 1, 1, 500, 1000);

    assertThat(processes.containers()).containsOnlyKeys(CONTAINER);
  }

  @Test
  void theCommandLineOfASettledProcessIsReadAgainOnlyIfItsNameChanges() throws IOException {
    ContainerProcessSampler processes = settled();

    String task = "paced-task\0/tmp/charon-cluster-1/job-3/task-results/task-7\0" + DIRECTORY;
    process(10, task, 1, 1, 500, 3000);
    assertThat(processes.containers())
        .extractingByKey(CONTAINER)
        .returns("", ContainerProcessSampler.Use::attempt)
        .returns(2 * 3000L * 1024, ContainerProcessSampler.Use::bytes);

    process(10, "paced-task", 'S', task, 1, 1, 500, 3000);
    assertThat(processes.containers())
        .extractingByKey(CONTAINER)
        .returns(
            "/tmp/charon-cluster-1/job-3/task-results/task-7",
            ContainerProcessSampler.Use::attempt);
  }

  @Test
  void aProcessThatHasEndedIsNoContainersEvenIfNobodyWaitsForIt() throws IOException {
    ContainerProcessSampler processes = settled();

    process(10, "bash", 'Z', "", 1, 1, 500, 0);

    assertThat(processes.containers()).isEmpty();
  }

  @Test
  void readsTheMachinesProcessorTime() throws IOException {
    Files.writeString(
        proc.resolve("stat"),
        "cpu  1000 10 500 90000 700 20 30 40 5 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n");

    ContainerProcessSampler.MachineTime time =
        new ContainerProcessSampler(proc, Path.of("/tmp/x")).machine();

    assertThat(time.busySeconds()).isEqualTo(15.6);
    assertThat(time.stolenSeconds()).isEqualTo(0.4);
  }

  /** Returns a reader that takes the container's shell for what it is. */
  private ContainerProcessSampler settled() throws IOException {
    ContainerProcessSampler processes =
        new ContainerProcessSampler(proc, Path.of("/tmp/charon-cluster-1"));
    process(10, "bash\0-c\0" + DIRECTORY, 1, 1, 500, 1000);
    for (int sample = 0; sample < ContainerProcessSampler.SETTLING_SAMPLES; sample++) {
      assertThat(processes.containers()).containsOnlyKeys(CONTAINER);
    }
    return processes;
  }

  private void process(
      int pid, String command, int userTicks, int systemTicks, int startTicks, int kilobytes)
      throws IOException {
    process(pid, "a (b) c", 'S', command, userTicks, systemTicks, startTicks, kilobytes);
  }

  private void process(
      int pid,
      String name,
      char state,
      String command,
      int userTicks,
      int systemTicks,
      int startTicks,
      int kilobytes)
      throws IOException {
    Path directory = Files.createDirectories(proc.resolve(Integer.toString(pid)));
    Files.writeString(directory.resolve("cmdline"), command);
    Files.writeString(
        directory.resolve("stat"),
        "%d (%s) %c 1 2 3 4 5 6 7 8 9 10 %d %d 13 14 15 16 17 18 %d 20\n"
            .formatted(pid, name, state, userTicks, systemTicks, startTicks));
    Files.writeString(
        directory.resolve("status"),
        "Name:\tx\nRssAnon:\t%d kB\nRssFile:\t77 kB\nRssShmem:\t%d kB\n"
            .formatted(kilobytes, kilobytes));
  }
}
