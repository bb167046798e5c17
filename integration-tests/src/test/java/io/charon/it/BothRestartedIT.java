/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.machine.NativeTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.apache.hadoop.yarn.api.records.Container;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The NodeManager and the helper of the kernel UA killer are killed and started again, in either
 * order, while best-effort has a memory limit, a container is frozen and another one was promoted.
 */
@Tag("pressure")
@WritableCgroups
@LoadableKernelKiller
class BothRestartedIT {
  private static final String CHARON = "yarn.nodemanager.charon.";
  private static final long MEBIBYTE = 1 << 20;
  private static final int TASK_MEBIBYTES = 64;

  /** Allocates memory and wakes up every 100 ms. */
  private static final String TASK =
      "head -c %1$d /dev/zero | tail -c %1$d | while :; do sleep 0.1; done"
          .formatted(TASK_MEBIBYTES * MEBIBYTE);

  @TempDir private static Path state;
  private static KernelKillerOfNode kernel;
  private static TestNode node;

  @BeforeAll
  static void start() throws Exception {
    kernel = KernelKillerOfNode.load();
    Map<String, String> properties = new HashMap<>(kernel.properties());
    properties.put(
        CHARON + "regulator.helper",
        NativeTools.of(Path.of("").toAbsolutePath().getParent()).killer().toString());
    node = TestNode.start("enforce", properties, state);
    kernel.protect(node);
    await("the kernel is in charge", () -> inCharge().equals("kernel"));
  }

  @AfterAll
  static void stop() {
    try {
      if (node != null) {
        node.close();
      }
    } finally {
      if (kernel != null) {
        kernel.close();
      }
    }
  }

  @Test
  @Tag("must-never")
  void everyContainerLivesAndIsWhatItWas() throws Exception {
    everyContainerLives(false);
  }

  @Test
  @Tag("must-never")
  @Tag("long")
  void theHelperMayComeFirst() throws Exception {
    everyContainerLives(true);
  }

  private static void everyContainerLives(boolean helperFirst) throws Exception {
    node.begin();
    node.change(
        Map.of(
            "freeze.mode", "enforce",
            "freeze.threshold-percent", "40",
            "freeze.thaw-percent", "50",
            "freeze.timeout-ms", "170000"));
    try (OwnMaster master = new OwnMaster(node.cluster().clientConfiguration())) {
      Container promoted = master.run(TASK);
      await("it runs", () -> node.started().size() == 1);
      master.promote(promoted);
      Path production = node.memoryCgroup().resolve("production/" + promoted.getId());
      await("it is production", () -> population(production) > 0);
      Container frozen = master.run(TASK);
      await("it runs", () -> node.started().size() == 1);
      Path cgroup = node.memoryCgroup().resolve("best-effort/" + frozen.getId());

      ProductionProcess foreground = new ProductionProcess(node);
      try {
        restartBoth(helperFirst, cgroup);
        assertThat(foreground.isAlive()).as("wrong death: production").isTrue();
      } finally {
        foreground.end();
      }

      await("the kernel is in charge", () -> inCharge().equals("kernel"));
      String killable = frozen.getId().toString();
      await("only best-effort may be killed", () -> kernel.killable().contains(killable));
      assertThat(kernel.killable()).doesNotContain(promoted.getId().toString());
      await("the limit is moved again", () -> limitOfStatus().startsWith("applied: "));
      assertThat(limit()).isLessThan(TestNode.NODE_MEBIBYTES);
      assertThat(population(production)).as("production keeps its place").isPositive();
      await("the frozen one goes on", () -> !Threads.areStalled(cgroup));
      assertThat(node.kills()).as("wrong death: a kill").isEmpty();
      assertThat(master.ended(promoted)).as("wrong death: production").isEmpty();
      assertThat(master.ended(frozen)).as("wrong death: best-effort").isEmpty();
    }
    node.revertChanges();
    node.awaitNothingLeft();
  }

  private static void restartBoth(boolean helperFirst, Path cgroup) throws Exception {
    await("it is frozen", () -> Threads.areStalled(cgroup));
    await("best-effort is limited", () -> limit() < TestNode.NODE_MEBIBYTES);
    kernel.killHelper();
    node.cluster().killNodeManager(0);
    long left = limit();
    Thread.sleep(1000);
    assertThat(limit()).as("nobody moves it, or takes it away").isEqualTo(left);
    assertThat(Threads.areStalled(cgroup)).isTrue();

    if (helperFirst) {
      kernel.startHelper();
      node.cluster().startNodeManager(0);
    } else {
      node.cluster().startNodeManager(0);
      await("the node answers", () -> !node.status().isEmpty());
      kernel.startHelper();
    }
  }

  private static String inCharge() throws InterruptedException {
    return node.status().path("killer").path("inCharge").asText();
  }

  private static long limit() throws IOException {
    Path bestEffort = node.memoryCgroup().resolve("best-effort");
    Path v1 = bestEffort.resolve("memory.limit_in_bytes");
    String text =
        Files.readString(Files.exists(v1) ? v1 : bestEffort.resolve("memory.max")).strip();
    return text.equals("max") ? Long.MAX_VALUE : Long.parseLong(text) / MEBIBYTE;
  }

  private static String limitOfStatus() throws InterruptedException {
    return StreamSupport.stream(node.status().path("regulators").spliterator(), false)
        .filter(one -> one.path("name").asText().equals("memory-limit"))
        .map(one -> one.path("result").asText())
        .findFirst()
        .orElse("");
  }

  private static int population(Path cgroup) throws IOException {
    Path procs = cgroup.resolve("cgroup.procs");
    return Files.exists(procs) ? Files.readAllLines(procs).size() : 0;
  }
}
