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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator's first hour: Charon observes, parts are enabled, and at the next start it decides.
 */
@WritableCgroups
class ObserveFirstIT {
  private static final String CHARON = "yarn.nodemanager.charon.";

  @TempDir private Path directory;

  @Test
  void whatCharonWouldDoIsSaidAndThenDone() throws Exception {
    Path state = Files.createDirectory(directory.resolve("charon"));
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
    Map<String, String> properties =
        Map.of(
            CHARON + "overrides-file",
            state.resolve("overrides.properties").toString(),
            CHARON + "recording.directory",
            state.resolve("recording").toString(),
            CHARON + "regulator.memory-window-ms",
            "2500",
            CHARON + "node.tick-ms",
            "500");
    try (TestNode node = TestNode.start("observe", properties)) {
      // Reservations leave room for one task beside the master; memory would hold all three.
      HoldJob job = node.submit(3, 0);
      await("two tasks would run", () -> observation(node).path("startedEarlier").asInt() >= 2);
      Set<String> before = node.runningBestEffort();
      assertThat(before).as("stock YARN decides").hasSize(1);
      assertThat(observation(node).path("killed").asInt()).isZero();
      assertThat(observation(node).path("heldBack").asInt()).isZero();
      assertThat(observation(node).path("productionReservedBytes").asLong())
          .isGreaterThan(observation(node).path("productionUsedBytes").asLong());

      change(node, Part.MEMORY, "observe");
      await("the regulator watches", () -> regulator(node).path("mean").isNumber());
      change(node, Part.MEMORY, "off");
      assertThat(regulator(node).path("mode").asText()).isEqualTo("off");

      JsonNode configuration = change(node, Part.SCHEDULER, Part.SCHEDULER.on());
      assertThat(configuration.path("needRestart").get(0).asText()).isEqualTo(Part.SCHEDULER.key());
      assertThat(node.status().path("mode").asText()).isEqualTo("observe");
      node.cluster().killNodeManager(0);
      node.cluster().startNodeManager(0);
      await("Charon decides", () -> node.status().path("mode").asText().equals("charon"));
      await("all three run", () -> node.runningBestEffort().size() == 3);
      assertThat(node.runningBestEffort()).as("went on meanwhile").containsAll(before);

      job.release();
      await("the job ends", job::isComplete);
      assertThat(job.isSuccessful()).isTrue();
      node.awaitNothingLeft();
    }
    ReplayResult replayed = new Replay(Map.of()).run(Replay.files(state.resolve("recording")));
    assertThat(replayed.recorded().launched())
        .as("what was observed, and then done")
        .isGreaterThan(3);
    assertThat(replayed.replayed().launched()).isEqualTo(replayed.recorded().launched());
    assertThat(replayed.notStarted()).isZero();
    assertThat(replayed.lostLines()).isZero();
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
