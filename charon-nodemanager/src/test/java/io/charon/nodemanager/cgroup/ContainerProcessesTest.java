/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerProcessesTest {
  @TempDir private Path root;
  private ContainerProcesses processes;

  @BeforeEach
  void setUp() throws Exception {
    processes = new ContainerProcesses(FakeMachine.v1(root).detect("/charon"));
  }

  private void cgroup(String path, String pids) throws IOException {
    Path directory = Files.createDirectories(root.resolve("cgroup/memory").resolve(path));
    Files.writeString(directory.resolve("cgroup.procs"), pids);
  }

  private void isIn(long pid, String path) throws IOException {
    Path process = Files.createDirectories(root.resolve("proc").resolve(Long.toString(pid)));
    Files.writeString(process.resolve("cgroup"), "4:memory:/" + path + "\n0::/\n");
  }

  @Test
  void thoseOfNestedCgroupsBelongToTheContainer() throws Exception {
    cgroup("charon/best-effort/container_1", "10\n11\n");
    cgroup("charon/best-effort/container_1/own", "12\n");
    cgroup("charon/best-effort/container_2", "20\n");
    isIn(10, "charon/best-effort/container_1");
    isIn(12, "charon/best-effort/container_1/own");

    assertThat(processes.of(10))
        .hasValueSatisfying(all -> assertThat(all).containsExactly(10L, 11L, 12L));
    assertThat(processes.of(12)).isEqualTo(processes.of(10));
  }

  @Test
  void aProcessOutsideOfContainersHasNone() throws Exception {
    cgroup("charon/best-effort", "30\n");
    cgroup("elsewhere/container_1", "31\n");
    isIn(30, "charon/best-effort");
    isIn(31, "elsewhere/container_1");

    assertThat(processes.of(30)).isEmpty();
    assertThat(processes.of(31)).isEmpty();
    assertThat(processes.of(99)).as("has ended").isEmpty();
  }

  @Test
  void aContainerThatEndedBetweenTwoReadsHasNone() throws Exception {
    cgroup("charon/production/container_3", "41\n");
    isIn(40, "charon/production/container_3");

    assertThat(processes.of(40)).isEmpty();
  }
}
