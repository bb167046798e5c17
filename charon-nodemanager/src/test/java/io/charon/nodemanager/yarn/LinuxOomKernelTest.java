/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.report.status.KillDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests containers that outgrow a node of 100 MiB, on this machine's kernel. */
@ExtendWith(RealCgroups.class)
@Tag("hadoop")
class LinuxOomKernelTest {
  private static final long NODE_BYTES = 100 << 20;

  private static final String WORKER_GROWS =
      "perl -e '$held .= \"x\" x 1048576 for 1 .. 300; sleep 60' & wait $!; ";

  @TempDir private Path directory;
  private final StockYarn yarn = new StockYarn(5);
  private final ExecutorService launches = Executors.newSingleThreadExecutor();
  private final Configuration configuration = CharonNodesTest.installed();
  private CgroupLayout layout;
  private CgroupWriter writer;
  private Optional<Process> neighbour = Optional.empty();

  @BeforeEach
  void aNodeOf100Mebibytes() throws IOException {
    Files.createDirectories(directory.resolve("work"));
    layout = RealCgroups.layout("oom");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    Path node = layout.nodeDirectory(layout.memory());
    CgroupFile.MEMORY_LIMIT.write(node, layout.version(), Long.toString(NODE_BYTES));
    forbidSwap(node);
    set("cgroup.enabled", "true");
    set("cgroup.path", layout.nodePath());
    set("node.memory-boundary", "cgroup");
    set("node.tick-ms", "100");
    set("killer.kernel.enabled", "false");
    set("regulator.helper", "/nonexistent/ua-killer");
  }

  private static void forbidSwap(Path node) throws IOException {
    for (String[] limit :
        new String[][] {
          {"memory.memsw.limit_in_bytes", Long.toString(NODE_BYTES)}, {"memory.swap.max", "0"}
        }) {
      if (Files.exists(node.resolve(limit[0]))) {
        Files.writeString(node.resolve(limit[0]), limit[1]);
      }
    }
  }

  private void set(String key, String value) {
    configuration.set("yarn.nodemanager.charon." + key, value);
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    launches.shutdownNow();
    if (neighbour.isPresent()) {
      neighbour.get().destroyForcibly().waitFor();
    }
    for (String id : writer.containers()) {
      assertThat(writer.removeContainer(id)).isTrue();
    }
    CharonNodes.find(configuration).ifPresent(joined -> joined.node().close());
    CharonNodes.forget();
    assertThat(writer.removeNode()).isTrue();
  }

  private Process startNeighbour() throws IOException {
    List<Path> joins =
        writer.createContainer("neighbour", ContainerClass.BEST_EFFORT, OptionalInt.empty());
    return new ProcessBuilder(
            "/bin/sh",
            "-c",
            RealCgroups.entering(joins) + "echo 1000 > /proc/$$/oom_score_adj; exec sleep 60")
        .start();
  }

  /** Linux kills the worker only; its parent would wait for it, or fails because of it. */
  @ParameterizedTest
  @ValueSource(strings = {"sleep 60", "exit 3"})
  void aContainerOfWhichLinuxKilledAProcessEndsAsPreemptedAndItsNeighbourLives(String thereafter)
      throws Exception {
    CharonContainerExecutor executor = new CharonContainerExecutor(Path.of("/proc"));
    executor.setConf(configuration);
    executor.init(yarn.context());
    CharonNode node = CharonNodes.find(configuration).orElseThrow().node();
    node.start();
    neighbour = Optional.of(startNeighbour());
    Container container = yarn.opportunistic(1, 100);
    node.gate().orElseThrow().adopt(Containers.info(container).launchRequest());

    Future<Integer> exit =
        launches.submit(
            () ->
                executor.launchContainer(
                    TestLaunch.context(executor, container, directory, WORKER_GROWS + thereafter)));

    assertThat(exit.get(30, TimeUnit.SECONDS)).isEqualTo(ContainerExitStatus.PREEMPTED);
    assertThat(node.status().containment().kills())
        .extracting(KillDocument::by)
        .containsExactly("linux-oom");
    assertThat(neighbour.get().isAlive()).as("wrong death: the neighbour").isTrue();
  }
}
