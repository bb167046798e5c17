/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pause before kill in a real NodeManager, on this machine's kernel. */
@WritableCgroups
class PauseIT {
  private static final String CHARON = "yarn.nodemanager.charon.";
  private static final double SHARE_LEFT = 0.3;

  /** A task with this much has come past YARN's launch steps. */
  private static final long STARTED_BYTES = 32L << 20;

  /** Production: enters the cgroup first, then takes memory and keeps it. */
  private static final String PRODUCTION =
      "echo $$ > \"$1/cgroup.procs\" || exit 7; head -c $2 /dev/zero | tail -c $2 | sleep 300";

  /** A container's command: takes memory, and looks around every 100 ms. */
  private static final String WORKER =
      "head -c 67108864 /dev/zero | tail -c 67108864 | while :; do sleep 0.1; done";

  @TempDir private Path audit;

  private Map<String, String> pausing(String limitMillis) {
    return Map.of(
        CHARON + "killer.threshold-percent", "0",
        CHARON + "killer.kernel-enabled", "false",
        CHARON + "scheduler.delay-ms", "1000",
        CHARON + "pause.mode", "enforce",
        CHARON + "pause.threshold-percent", "40",
        CHARON + "pause.resume-percent", "50",
        CHARON + "pause.limit-ms", limitMillis,
        CHARON + "audit.directory", audit.toString());
  }

  @Test
  void theNewestStandsStillWhileProductionNeedsItsMemoryAndThenEndsWell() throws Exception {
    try (TestNode node = TestNode.start("charon", pausing("170000"))) {
      HoldJob job = node.submit(2, 0);
      await("two best-effort tasks run", () -> started(node).size() == 2);
      String newest = newest(node);

      Production production = new Production(node);
      try {
        await("one is paused", () -> !paused(node).isEmpty());
        assertThat(actions().get(0).path("action").asText()).isEqualTo("freeze");
        assertThat(actions().get(0).path("target").asText()).isEqualTo(newest);
        Path cgroup = node.memoryCgroup().resolve("best-effort/" + newest);
        await("its threads stand still", () -> standsStill(cgroup));
        assertThat(node.status().path("snapshotBytes").asLong()).isZero();
        assertThat(production.isAlive()).isTrue();
      } finally {
        production.end();
      }

      await("all go on", () -> paused(node).isEmpty());
      assertThat(actions()).anyMatch(action -> action.path("action").asText().equals("resume"));
      assertThat(node.status().path("kills")).isEmpty();
      endsWithoutLoss(job, node);
    }
  }

  @Test
  void whoIsPausedForTooLongIsKilledAndItsJobIsToldSo() throws Exception {
    try (TestNode node = TestNode.start("charon", pausing("3000"))) {
      HoldJob job = node.submit(1, 0);
      await("a best-effort task runs", () -> started(node).size() == 1);
      String victim = newest(node);

      Production production = new Production(node);
      try {
        await("it is killed", () -> !node.status().path("kills").isEmpty());
        JsonNode kill = node.status().path("kills").get(0);
        assertThat(kill.path("containerId").asText()).isEqualTo(victim);
        assertThat(kill.path("by").asText()).isEqualTo("pause");
        assertThat(kill.path("reason").asText()).contains("limit 3000 ms");
        await("it is gone", () -> !node.containerCgroups().contains(victim));
        await("it counts as killed for memory", () -> node.counter("killed") >= 1);
        assertThat(production.isAlive()).isTrue();
      } finally {
        production.end();
      }

      job.release();
      await("the job ends", job::isComplete);
      assertThat(job.isSuccessful()).isTrue();
      assertThat(actions())
          .anyMatch(
              action ->
                  action.path("action").asText().equals("kill")
                      && action.path("target").asText().equals(victim)
                      && action.path("result").asText().startsWith("applied"));
      node.awaitNothingLeft();
    }
  }

  @Test
  void whatAKilledNodeManagerLeftFrozenGoesOnWhenItComesBack() throws Exception {
    try (TestNode node = TestNode.start("charon", pausing("170000"))) {
      HoldJob job = node.submit(1, 0);
      await("a best-effort task runs", () -> started(node).size() == 1);
      Path cgroup = node.memoryCgroup().resolve("best-effort/" + newest(node));
      Production production = new Production(node);
      try {
        await("it is paused", () -> !paused(node).isEmpty());
        node.cluster().killNodeManager(0);
        assertThat(standsStill(cgroup)).isTrue();
      } finally {
        production.end();
      }

      node.cluster().startNodeManager(0);
      await("it goes on", () -> !standsStill(cgroup));
      assertThat(paused(node)).isEmpty();
      endsWithoutLoss(job, node);
    }
  }

  @Test
  void whoIsPromotedWhileFrozenGoesOnAsProduction() throws Exception {
    try (TestNode node = TestNode.start("charon", pausing("170000"));
        OwnMaster master = new OwnMaster(node.cluster().clientConfiguration())) {
      Container container = master.run(WORKER);
      String id = container.getId().toString();
      await("it runs", () -> started(node).size() == 1);
      Production production = new Production(node);
      try {
        await("it is paused", () -> !paused(node).isEmpty());
        assertThat(standsStill(node.memoryCgroup().resolve("best-effort/" + id))).isTrue();

        master.promote(container);

        Path cgroup = node.memoryCgroup().resolve("production/" + id);
        await("it is production", () -> Files.isDirectory(cgroup));
        await("it goes on", () -> !standsStill(cgroup));
        assertThat(paused(node)).isEmpty();
        assertThat(production.isAlive()).isTrue();
      } finally {
        production.end();
      }
      assertThat(node.status().path("kills")).isEmpty();
    }
  }

  @Test
  void yarnsOwnPauseInPlaceOfPreemptionFreezesAndResumes() throws Exception {
    try (TestNode node =
        TestNode.start(
            "off",
            Map.of(YarnConfiguration.NM_CONTAINER_QUEUING_USE_PAUSE_FOR_PREEMPTION, "true"))) {
      HoldJob job = node.submit(1, 0);
      await("a best-effort task runs", () -> started(node).size() == 1);
      Path cgroup = node.memoryCgroup().resolve("best-effort/" + newest(node));
      assertThat(standsStill(cgroup)).isFalse();

      // Its ApplicationMaster is guaranteed, and there is no room for it beside the task.
      HoldJob second = node.submit(1, 0);
      await("the task is paused", () -> standsStill(cgroup));
      second.kill();
      await("it goes on", () -> !standsStill(cgroup));

      endsWithoutLoss(job, node);
    }
  }

  /** Takes so much that less is left than containers may run with. */
  private static final class Production {
    private final Path cgroup;
    private final Process process;

    Production(TestNode node) throws Exception {
      cgroup = node.memoryCgroup().resolve("production/foreground");
      Files.createDirectory(cgroup);
      JsonNode memory = node.status().path("node");
      long bytes =
          (long)
              (memory.path("availableBytes").asLong()
                  - SHARE_LEFT * memory.path("capacityBytes").asLong());
      process =
          new ProcessBuilder("/bin/sh", "-c", PRODUCTION, "sh", cgroup.toString(), "" + bytes)
              .start();
    }

    boolean isAlive() {
      return process.isAlive();
    }

    void end() throws Exception {
      TimedProgram.end(process);
      await("production is gone", () -> Files.readString(cgroup.resolve("cgroup.procs")).isEmpty());
      Files.delete(cgroup);
    }
  }

  private static void endsWithoutLoss(HoldJob job, TestNode node) throws Exception {
    assertThat(job.counter(JobCounter.NUM_FAILED_MAPS)).isZero();
    assertThat(job.counter(JobCounter.NUM_KILLED_MAPS)).isZero();
    job.release();
    await("the job ends", job::isComplete);
    assertThat(job.isSuccessful()).isTrue();
    node.awaitNothingLeft();
  }

  private static List<JsonNode> started(TestNode node) throws InterruptedException {
    return StreamSupport.stream(node.status().path("running").spliterator(), false)
        .filter(container -> container.path("executionType").asText().equals("opportunistic"))
        .filter(container -> container.path("workingSetBytes").asLong() > STARTED_BYTES)
        .toList();
  }

  private static String newest(TestNode node) throws InterruptedException {
    return started(node).stream()
        .min(Comparator.comparingDouble(container -> container.path("runningSeconds").asDouble()))
        .orElseThrow()
        .path("containerId")
        .asText();
  }

  private static JsonNode paused(TestNode node) throws InterruptedException {
    return node.status().path("pause").path("paused");
  }

  /** Lines of the audit, oldest first. */
  private List<JsonNode> actions() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    List<JsonNode> actions = new ArrayList<>();
    for (String line : Files.readAllLines(audit.resolve("audit.jsonl"))) {
      actions.add(mapper.readTree(line));
    }
    return actions;
  }

  /** Whether no thread got the CPU for a second; a task that may run looks around every 100 ms. */
  private static boolean standsStill(Path cgroup) throws Exception {
    long before = switches(cgroup);
    Thread.sleep(1000);
    return before > 0 && switches(cgroup) == before;
  }

  private static long switches(Path cgroup) throws IOException {
    long switches = 0;
    for (String process : Files.readAllLines(cgroup.resolve("cgroup.procs"))) {
      for (Path thread : threads(process)) {
        switches +=
            lines(thread.resolve("status")).stream()
                .filter(line -> line.contains("voluntary_ctxt_switches:"))
                .mapToLong(line -> Long.parseLong(line.split(":\\s*", -1)[1]))
                .sum();
      }
    }
    return switches;
  }

  /** None of a process that has just ended: what stands still does not end. */
  private static List<Path> threads(String process) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", process, "task"))) {
      return threads.toList();
    } catch (IOException | UncheckedIOException ended) {
      return List.of();
    }
  }

  /** None of a thread that has just ended. */
  private static List<String> lines(Path status) {
    try {
      return Files.readAllLines(status);
    } catch (IOException ended) {
      return List.of();
    }
  }
}
