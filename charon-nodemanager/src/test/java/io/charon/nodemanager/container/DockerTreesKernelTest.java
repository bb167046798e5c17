/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.codahale.metrics.Counter;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ForeignCgroups;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.config.CharonSettings.ProcessSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests with real v1 cgroups as Docker's two cgroup drivers create them for a container, alone and
 * below YARN's. Docker itself is not needed.
 */
@ExtendWith(RealCgroups.class)
class DockerTreesKernelTest {
  private static final String ID = "container_1_0001_01_000002";
  private static final String HASH = "0123456789abcdef".repeat(4);

  private final Deque<Path> made = new ArrayDeque<>();
  private final List<ContainerInfo> running = new ArrayList<>();
  private final Counter failures = new Counter();
  private CgroupLayout layout;
  private Process container;

  @BeforeEach
  void start() throws IOException {
    layout = RealCgroups.layout("hadoop-yarn");
    assumeTrue(layout.version() == CgroupVersion.V1, "the trees are those of version 1");
    container = new ProcessBuilder("sleep", "600").start();
    running.add(ContainerInfos.bestEffort(ID, 1 << 20));
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    if (container != null) {
      container.destroyForcibly().waitFor();
    }
    while (!made.isEmpty()) {
      Files.deleteIfExists(made.pop());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "hadoop-yarn/ID/HASH, hadoop-yarn/ID",
    "docker/HASH, docker/HASH",
    "system.slice/docker-HASH.scope, system.slice/docker-HASH.scope",
  })
  void aContainerIsFoundWhereverItsDriverPutsIt(String tree, String adoptedTree) throws Exception {
    AdoptedContainers adopted = adopted();
    adopted.update();
    assertThat(adopted.memory()).as("it comes late").isEmpty();

    for (CgroupController controller : List.of(CgroupController.MEMORY, CgroupController.CPU)) {
      enter(make(controller, named(tree)));
    }
    adopted.update();

    Path memory = directory(CgroupController.MEMORY, named(adoptedTree));
    assertThat(adopted.memory()).isEqualTo(Map.of(ID, memory));
    assertThat(read(memory.resolve("memory.swappiness"))).isEqualTo("60");
    assertThat(read(directory(CgroupController.CPU, named(adoptedTree)).resolve("cpu.shares")))
        .isEqualTo("2");
    assertThat(read(Path.of("/proc/" + container.pid() + "/oom_score_adj"))).isEqualTo("1000");
    assertThat(failures.getCount()).isZero();
    assertThat(adopted.warnings()).isZero();
  }

  @Test
  void nothingIsMadeOrRemoved() throws Exception {
    Path memory = make(CgroupController.MEMORY, named("docker/HASH"));
    enter(memory);
    AdoptedContainers adopted = adopted();
    adopted.update();

    adopted.stopped(ID, true);
    running.clear();
    adopted.update();

    assertThat(memory).isDirectory();
    assertThat(adopted.memory()).isEmpty();
    assertThat(directory(CgroupController.MEMORY, "hadoop-yarn")).doesNotExist();
  }

  private AdoptedContainers adopted() {
    return new AdoptedContainers(
        new ForeignCgroups(layout),
        false,
        true,
        new AdoptedContainers.Known(
            () -> running, () -> Map.of(ID, container.pid()), container -> false, info -> {}),
        new OomScores(Path.of("/proc"), new ProcessSettings(-998, -999, true)),
        IdleDisk.notWanted(Path.of("/proc")),
        failures,
        System::nanoTime);
  }

  private static String named(String tree) {
    return tree.replace("ID", ID).replace("HASH", HASH);
  }

  private Path directory(CgroupController controller, String tree) {
    CgroupHierarchy hierarchy = layout.hierarchy(controller).orElseThrow();
    return layout.nodeDirectory(hierarchy).resolveSibling(tree);
  }

  private Path make(CgroupController controller, String tree) throws IOException {
    Path directory = layout.hierarchy(controller).orElseThrow().mountPoint();
    for (Path segment : directory.relativize(directory(controller, tree))) {
      directory = directory.resolve(segment);
      if (!Files.exists(directory)) {
        Files.createDirectory(directory);
        made.push(directory);
      }
    }
    return directory;
  }

  private void enter(Path cgroup) throws IOException {
    Files.writeString(cgroup.resolve("cgroup.procs"), Long.toString(container.pid()));
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file).strip();
  }
}
