/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The memory regulator in a real NodeManager: it reports in mode observe, and it acts in mode
 * enforce.
 */
@Tag("pressure")
@SharedNode(SharedNode.Settings.NO_KILLER)
class DropInMemoryRegulatorIT {
  /**
   * With it the headroom is 0.8 to 1.5 GiB, however the foreground's sizes fall into the window: it
   * has to be larger than what the test leaves the node.
   */
  private static final int STD_FACTOR = 10;

  private static final double MEBIBYTE = 1024 * 1024;

  /**
   * Script of the foreground: it first enters the cgroup. It then allocates and frees memory until
   * a file contains an amount, which it allocates and keeps.
   */
  private static final String FOREGROUND =
      """
      echo $$ > "$1/cgroup.procs" || exit 7
      until [ -e "$2" ]; do
        head -c %d /dev/zero | tail -c 2000000000 | sleep 1
        sleep 1
      done
      head -c "$(cat "$2")" /dev/zero | tail -c 4000000000 | sleep 300
      """
          .formatted((long) (600 * MEBIBYTE));

  @TempDir private Path directory;

  @Test
  @Tag("long")
  void itSaysWhatBestEffortMightUseWhileBestEffortRunsAsEver(TestNode node) throws Exception {
    node.change(Map.of("regulator.memory.mode", "observe", "regulator.memory.window-ms", "5000"));
    await("a window is full", () -> regulator(node).path("mean").isNumber());
    HoldJob job = node.submit(2, 0);
    await("best-effort tasks run", () -> node.runningBestEffort().size() == 2);

    JsonNode regulator = regulator(node);
    assertThat(regulator.path("mode").asText()).isEqualTo("observe");
    assertThat(regulator.path("limit").asLong())
        .isBetween(0L, node.status().at("/node/capacityBytes").asLong());
    assertThat(audit(node))
        .contains(
            "\"regulator\":\"memory\"",
            "\"action\":\"widen\"",
            "\"result\":\"not applied: observe\"");

    job.endsWell();
  }

  @Test
  void whatTheForegroundNeedsBeyondItsReserveIsTakenFromBestEffort(TestNode node) throws Exception {
    Path grow = directory.resolve("grow");
    node.change(
        Map.of(
            "regulator.memory.mode", "enforce",
            "regulator.memory.window-ms", "5000",
            "regulator.memory.std-factor", Integer.toString(STD_FACTOR)));
    Path cgroup = node.memoryCgroup().resolve("production/foreground");
    Files.createDirectory(cgroup);
    Process foreground =
        new ProcessBuilder("/bin/sh", "-c", FOREGROUND, "sh", cgroup.toString(), grow.toString())
            .start();
    try {
      // After a restart, the regulator has never seen this node without the foreground, and it
      // finds the state that a killed NodeManager left.
      node.cluster().killNodeManager(0);
      node.cluster().startNodeManager(0);
      await("a window is full", () -> regulator(node).path("mean").isNumber());
      JsonNode learned = regulator(node);
      double mean = learned.path("mean").asDouble();
      double headroom = STD_FACTOR * learned.path("standardDeviation").asDouble();
      assertThat(learned.path("result").asText()).startsWith("applied: ");
      long beyondReserve = (long) (mean + headroom + 100 * MEBIBYTE);
      // Small enough to leave the node some room together with the foreground's final size and the
      // job's master; otherwise Linux would kill before the next tick.
      double held = (TestNode.NODE_MEBIBYTES - 700) * MEBIBYTE - beyondReserve;
      assertThat(held)
          .as("best-effort does not fit beside a reserve that moved up; learned: %s", learned)
          .isGreaterThan(learned.path("limit").asDouble() - headroom);
      HoldJob job = node.submit(2, (int) (held / MEBIBYTE) - 120);
      await(
          "best-effort has grown",
          () -> regulator(node).path("bestEffort").asDouble() > held - 120 * MEBIBYTE);
      assertThat(node.kills()).as("learned: %s, now: %s", learned, regulator(node)).isEmpty();

      Files.move(Files.writeString(directory.resolve("size"), "" + beyondReserve), grow);
      await("best-effort gives way", () -> !node.kills().isEmpty());
      JsonNode kill = node.kills().get(0);
      assertThat(kill.path("by").asText())
          .as("%s; learned: %s, now: %s", node.kills(), learned, regulator(node))
          .isEqualTo("regulator");
      String line = "\"action\":\"kill\",\"target\":\"" + kill.path("containerId").asText() + '"';
      await("the audit says so", () -> audit(node).contains(line));
      // Moves of a limit within a second are one line, which is written when that second is over.
      await("the audit shows the move", () -> audit(node).contains("\"action\":\"tighten\""));
      job.kill();
    } finally {
      TimedProgram.end(foreground);
      await("the foreground is gone", () -> Files.readString(procs(cgroup)).isEmpty());
      Files.delete(cgroup);
    }
  }

  private static String audit(TestNode node) throws IOException {
    return node.actions().stream().map(JsonNode::toString).collect(Collectors.joining("\n"));
  }

  private static Path procs(Path cgroup) {
    return cgroup.resolve("cgroup.procs");
  }

  private static JsonNode regulator(TestNode node) throws InterruptedException {
    return node.status().path("regulators").path(0);
  }
}
