/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.configure.NodeOverrides;
import io.charon.configure.Part;
import io.charon.nodemanager.config.OverridesFile;
import io.charon.replay.Replay;
import io.charon.replay.ReplayResult;
import io.charon.status.StatusClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator's first hour: Charon observes and changes nothing, parts are enabled, it enforces and
 * then observes again, all while one job runs.
 */
@WritableCgroups
class ObserveFirstIT {
  private static final String CHARON = "yarn.nodemanager.charon.";

  @TempDir private Path directory;

  @Test
  @Tag("must-never")
  void whatCharonWouldDoIsSaidAndThenDoneAndThenSaidAgain() throws Exception {
    Path state = Files.createDirectory(directory.resolve("charon"));
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
    Map<String, String> properties =
        Map.of(
            CHARON + "overrides-file",
            state.resolve("overrides.properties").toString(),
            CHARON + "recording.directory",
            state.resolve("recording").toString(),
            CHARON + "regulator.memory.window-ms",
            "2500",
            CHARON + "node.tick-ms",
            "500");
    try (TestNode node = TestNode.start("observe", properties)) {
      // Reservations leave room for one task beside the master; the memory has room for all three.
      HoldJob job = node.submit(3, 0);
      await("two tasks would run", () -> observation(node).path("startedEarlier").asInt() >= 2);
      await("the first is up", () -> node.started().size() == 1);
      Set<String> before = containers(node);
      assertThat(node.runningBestEffort()).as("stock YARN decides").hasSize(1);
      assertThat(before).as("with its master").hasSize(2);
      assertThat(observation(node).path("killed").asInt(-1)).isZero();
      assertThat(observation(node).path("heldBack").asInt(-1)).isZero();
      assertThat(observation(node).path("productionReservedBytes").asLong())
          .isGreaterThan(observation(node).path("productionUsedBytes").asLong());
      before.forEach(ObserveFirstIT::assertUntouched);
      assertThat(node.memoryCgroup().resolve("production")).doesNotExist();
      assertThat(node.memoryCgroup().resolve("best-effort")).doesNotExist();
      assertPlacement(node, 0, 2, true);

      change(node, Part.of("memory"), "observe");
      await("the regulator watches", () -> regulator(node).path("mean").isNumber());
      change(node, Part.of("memory"), "off");
      assertThat(regulator(node).path("mode").asText()).isEqualTo("off");

      JsonNode configuration = change(node, Part.of("scheduler"), Part.ON);
      assertThat(configuration.path("needRestart")).isEmpty();
      await("all three run", () -> node.started().size() == 3);
      assertThat(node.status().path("mode").asText()).isEqualTo("enforce");
      Set<String> placed = node.runningBestEffort();
      placed.removeAll(before);
      placed.forEach(container -> assertPlaced(node, container));
      before.forEach(ObserveFirstIT::assertUntouched);
      assertPlacement(node, 2, 2, false);

      change(node, Part.of("scheduler"), "observe");
      await("stock YARN decides", () -> observation(node).isObject());
      assertThat(node.started()).as("nobody ended").hasSize(3);
      placed.forEach(container -> assertPlaced(node, container));
      before.forEach(ObserveFirstIT::assertUntouched);
      assertPlacement(node, 2, 2, false);

      job.release();
      await("the job ends", job::isComplete);
      assertThat(job.isSuccessful()).isTrue();
      node.awaitNothingLeft();
      assertPlacement(node, 0, 0, true);
    }
    ReplayResult replayed = new Replay(Map.of()).run(Replay.files(state.resolve("recording")));
    assertThat(replayed.recorded().launched())
        .as("what was observed, and then done")
        .isGreaterThan(3);
    assertThat(replayed.replayed().launched()).isEqualTo(replayed.recorded().launched());
    assertThat(replayed.shifts().notStarted()).isZero();
    assertThat(replayed.recording().lostLines()).isZero();
  }

  private static Set<String> containers(TestNode node) throws InterruptedException {
    Set<String> ids = new TreeSet<>();
    node.status().path("running").forEach(one -> ids.add(one.path("containerId").asText()));
    return ids;
  }

  private static void assertPlacement(TestNode node, int enforced, int untouched, boolean complete)
      throws InterruptedException {
    JsonNode placement = node.status().path("placement");
    assertThat(placement.path("enforced").asInt()).isEqualTo(enforced);
    assertThat(placement.path("untouched").asInt()).isEqualTo(untouched);
    assertThat(placement.path("complete").asBoolean()).isEqualTo(complete);
  }

  /** Asserts that all processes have the same cgroup, score and niceness as the NodeManager. */
  private static void assertUntouched(String container) {
    List<ProcessHandle> processes = processes(container);
    assertThat(processes).isNotEmpty();
    ProcessHandle nodeManager =
        processes.stream()
            .map(process -> process.parent().orElseThrow())
            .filter(parent -> !processes.contains(parent))
            .findFirst()
            .orElseThrow();
    for (ProcessHandle process : processes) {
      assertThat(proc(process, "cgroup")).isEqualTo(proc(nodeManager, "cgroup"));
      assertThat(proc(process, "oom_score_adj")).isEqualTo(proc(nodeManager, "oom_score_adj"));
      assertThat(nice(process)).isEqualTo(nice(nodeManager));
    }
  }

  private static void assertPlaced(TestNode node, String container) {
    String cgroup = node.memoryCgroup().getFileName() + "/best-effort/" + container;
    assertThat(processes(container))
        .isNotEmpty()
        .allSatisfy(
            process -> {
              assertThat(proc(process, "cgroup")).contains(cgroup);
              assertThat(proc(process, "oom_score_adj").trim()).isEqualTo("1000");
            });
  }

  private static List<ProcessHandle> processes(String container) {
    return ProcessHandle.allProcesses()
        .filter(process -> proc(process, "cmdline").contains(container))
        .toList();
  }

  private static String nice(ProcessHandle process) {
    String stat = proc(process, "stat");
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16];
  }

  private static String proc(ProcessHandle process, String file) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
    } catch (IOException ended) {
      return "";
    }
  }

  private JsonNode change(TestNode node, Part part, String value) throws Exception {
    OverridesFile file =
        new OverridesFile(
            directory.resolve("charon/overrides.properties"), System.getProperty("user.name"));
    return new NodeOverrides(new StatusClient(), Duration.ofMinutes(1))
        .change(
            node.cluster().nodes().get(0).web(),
            file,
            overrides -> overrides.put(part.key(), value))
        .path("configuration");
  }

  private static JsonNode observation(TestNode node) throws InterruptedException {
    return node.status().path("observation");
  }

  private static JsonNode regulator(TestNode node) throws InterruptedException {
    return node.status().path("regulators").path(0);
  }
}
