/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.mapreduce.JobCounter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stock NodeManager with Charon on a node that the kernel UA killer protects. */
@Tag("pressure")
@WritableCgroups
@LoadableKernelKiller
class DropInKernelKillerIT {
  private static final int MORE_THAN_THE_NODE_HAS = 3900;

  private static final int FITS = 1500;
  private static final int FITS_NO_MORE = 1000;
  private static final int SQUEEZE = 50;
  private static final long MEBIBYTE = 1 << 20;
  private static final int TOLERANCE_MILLIS = 1000;

  @TempDir private static Path state;

  private static KernelKillerOfNode kernel;
  private static TestNode node;

  private HoldJob job;

  @BeforeAll
  static void start() throws Exception {
    kernel = KernelKillerOfNode.load();
    Map<String, String> properties = new HashMap<>(kernel.properties());
    properties.put(
        "yarn.nodemanager.charon.killer.cgth-time-ms", Integer.toString(TOLERANCE_MILLIS));
    // The memory limit acts before thrash: it would kill best-effort and keep the node healthy.
    properties.put("yarn.nodemanager.charon.memory-limit.mode", "off");
    properties.put("yarn.nodemanager.charon.scheduler.launch-backoff-ms", "1000");
    // The greedy peak of one test must not delay the tasks of the next one.
    properties.put("yarn.nodemanager.charon.scheduler.profile.percentile", "1");
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

  @BeforeEach
  void begin() throws Exception {
    node.begin();
  }

  @AfterEach
  void endJob() throws Exception {
    if (job != null && !job.isComplete()) {
      job.kill();
    }
    node.awaitNothingLeft();
  }

  @Test
  void aTaskThatOutgrowsTheNodeIsEndedByTheKernelAndExplained() throws Exception {
    job = node.submit(3, MORE_THAN_THE_NODE_HAS);
    await("the kernel kills", () -> !kills("kernel").isMissingNode());

    await("MapReduce counts a kill", () -> job.counter(JobCounter.NUM_KILLED_MAPS) >= 1);
    assertThat(job.counter(JobCounter.NUM_FAILED_MAPS)).isZero();
    await(
        "the release is known", () -> kills("kernel").path("thrash").has("decisionToFreedMillis"));
    JsonNode thrash = kills("kernel").path("thrash");
    assertThat(thrash.path("series").asText()).isEqualTo("anonymous");
    assertThat(thrash.path("seconds").asDouble()).isGreaterThanOrEqualTo(1);
    assertThat(thrash.path("trigger").asText()).startsWith("container_");
    assertThat(thrash.path("decisionToLastSignalMillis").asDouble()).isPositive();
    assertThat(thrash.path("ranking").path(0).path("container"))
        .isEqualTo(kills("kernel").path("containerId"));
    assertThat(thrash.path("ranking")).allMatch(candidate -> candidate.path("score").asInt() == 1);
    assertThat(thrash.path("samples")).hasSizeGreaterThan(5);

    job.release();
    await("the job ends", job::isComplete);
    assertThat(job.isSuccessful()).isTrue();
  }

  @Test
  @Tag("long")
  void linuxsOwnKillerIsAttributedToo() throws Exception {
    node.change(Map.of("killer.cgth-time-ms", "600000")); // so that Linux kills first
    forbidSwap();
    try {
      job = node.submit(2, MORE_THAN_THE_NODE_HAS);
      await("Linux kills", () -> !kills("linux-oom").isMissingNode());

      await("MapReduce counts a kill", () -> job.counter(JobCounter.NUM_KILLED_MAPS) >= 1);
      assertThat(job.counter(JobCounter.NUM_FAILED_MAPS)).isZero();
      job.release();
      await("the job ends", job::isComplete);
      assertThat(job.isSuccessful()).isTrue();
    } finally {
      allowSwap();
      node.revertChanges();
    }
  }

  @Test
  @Tag("must-never")
  void aKillerThatGoesAndComesBackFindsEveryContainerAgain() throws Exception {
    job = node.submit(4, 0);
    await("tasks run", () -> node.runningBestEffort().size() >= 4);
    await("all are registered", DropInKernelKillerIT::allRegistered);

    kernel.unload();
    await("the user-space killer takes over", () -> inCharge().equals("user-space"));
    kernel.loadAgain(node);
    await("the kernel is in charge again", () -> inCharge().equals("kernel"));
    await("all are registered again", DropInKernelKillerIT::allRegistered);

    node.cluster().killNodeManager(0);
    node.cluster().startNodeManager(0);
    await("the kernel is in charge after the restart", () -> inCharge().equals("kernel"));
    await("all are registered after the restart", DropInKernelKillerIT::allRegistered);

    job.release();
    await("the job ends", job::isComplete);
    await("nobody is registered any more", () -> kernel.killable().isEmpty());
  }

  @Tag("long")
  @ParameterizedTest(name = "while no NodeManager runs: {0}")
  @ValueSource(booleans = {false, true})
  void aTaskOfBeforeARestartThatTheKernelKillsIsNoFailure(boolean whileNoNodeManagerRuns)
      throws Exception {
    job = node.submit(2, FITS);
    await("the task has its memory", () -> !largest().isEmpty());
    String task = largest();
    Path limit = memoryLimit();
    String before = Files.readString(limit).strip();

    node.cluster().killNodeManager(0);
    try {
      if (!whileNoNodeManagerRuns) {
        restartedNodeKnows(task);
      }
      Path processes = node.memoryCgroup().resolve("best-effort/" + task + "/cgroup.procs");
      await(
          "the kernel kills",
          () -> {
            squeeze(limit);
            return isEmpty(processes);
          });
    } finally {
      Files.writeString(limit, before);
      if (whileNoNodeManagerRuns) {
        node.cluster().startNodeManager(0);
      }
    }
    await(
        "the kill is known by its container",
        () -> kills("kernel").path("containerId").asText().equals(task));
    await("MapReduce counts a kill", () -> job.counter(JobCounter.NUM_KILLED_MAPS) >= 1);
    assertThat(job.counter(JobCounter.NUM_FAILED_MAPS)).isZero();
    job.endsWell();
  }

  private static void restartedNodeKnows(String task) throws Exception {
    node.cluster().startNodeManager(0);
    await("the kernel is in charge after the restart", () -> inCharge().equals("kernel"));
    await("the task is watched again", () -> kernel.killable().contains(task));
  }

  /** Returns the task that has allocated all of its memory; empty while there is none. */
  private static String largest() throws InterruptedException {
    return node.bestEffort()
        .filter(container -> container.path("workingSetBytes").asLong() > FITS * MEBIBYTE)
        .map(container -> container.path("containerId").asText())
        .findFirst()
        .orElse("");
  }

  /** Lowers the limit in steps, because v1 rejects a limit that reclaim does not reach at once. */
  private static void squeeze(Path limit) throws IOException {
    Path v1 = limit.resolveSibling("memory.usage_in_bytes");
    Path usage = Files.exists(v1) ? v1 : limit.resolveSibling("memory.current");
    long step = Long.parseLong(Files.readString(usage).strip()) - SQUEEZE * MEBIBYTE;
    try {
      Files.writeString(limit, Long.toString(Math.max(step, FITS_NO_MORE * MEBIBYTE)));
    } catch (IOException busy) {
      // The next attempt is a smaller step, because reclaim continued meanwhile.
    }
  }

  private static Path memoryLimit() {
    Path v1 = node.memoryCgroup().resolve("memory.limit_in_bytes");
    return Files.exists(v1) ? v1 : node.memoryCgroup().resolve("memory.max");
  }

  private static boolean isEmpty(Path processes) {
    try {
      return Files.readString(processes).isBlank();
    } catch (IOException gone) {
      return !Files.exists(processes);
    }
  }

  private static boolean allRegistered() throws Exception {
    Set<String> running = node.runningBestEffort();
    assertThat(kernel.killable())
        .as("production is outside of what can be killed")
        .doesNotContainAnyElementsOf(node.productionCgroups());
    return running.size() >= 4 && kernel.killable().equals(running);
  }

  private static String inCharge() throws InterruptedException {
    return node.status().path("killer").path("inCharge").asText();
  }

  /** Returns the last kill by a given killer in this test; a missing node if there was none. */
  private static JsonNode kills(String by) throws InterruptedException {
    return node.kills().stream()
        .filter(kill -> kill.path("by").asText().equals(by))
        .reduce((first, second) -> second)
        .orElse(MissingNode.getInstance());
  }

  private static void forbidSwap() throws IOException {
    Path v1 = node.memoryCgroup().resolve("memory.memsw.limit_in_bytes");
    if (Files.exists(v1)) {
      Files.writeString(v1, Files.readString(node.memoryCgroup().resolve("memory.limit_in_bytes")));
    } else {
      Files.writeString(node.memoryCgroup().resolve("memory.swap.max"), "0");
    }
  }

  private static void allowSwap() throws IOException {
    Path v1 = node.memoryCgroup().resolve("memory.memsw.limit_in_bytes");
    Files.writeString(
        Files.exists(v1) ? v1 : node.memoryCgroup().resolve("memory.swap.max"),
        Files.exists(v1) ? "-1" : "max");
  }
}
