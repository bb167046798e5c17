/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory regulator in a real NodeManager: it tells, and where it may, it acts. */
@WritableCgroups
class DropInMemoryRegulatorIT {
  private static final String CHARON = "yarn.nodemanager.charon.";
  private static final double MEBIBYTE = 1024 * 1024;

  /**
   * The foreground: takes and gives back memory until a file says how much to take and keep. Its
   * first act is to enter the cgroup.
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

  @TempDir private Path audit;

  @Test
  void itSaysWhatBestEffortMightUseWhileBestEffortRunsAsEver() throws Exception {
    Map<String, String> properties =
        Map.of(
            CHARON + "regulator.memory-mode", "observe",
            CHARON + "regulator.memory-window-ms", "5000",
            CHARON + "audit.directory", audit.toString());
    try (TestNode node = TestNode.start("charon", properties)) {
      await("a window is full", () -> regulator(node).path("mean").isNumber());
      HoldJob job = node.submit(2, 0);
      await("best-effort tasks run", () -> node.runningBestEffort().size() == 2);

      JsonNode regulator = regulator(node);
      assertThat(regulator.path("mode").asText()).isEqualTo("observe");
      assertThat(regulator.path("limit").asLong())
          .isBetween(0L, node.status().at("/node/capacityBytes").asLong());
      assertThat(Files.readString(audit.resolve("audit.jsonl")))
          .contains(
              "\"regulator\":\"memory\"",
              "\"action\":\"widen\"",
              "\"result\":\"not applied: observe\"");

      job.release();
      await("the job ends", job::isComplete);
      assertThat(job.isSuccessful()).isTrue();
    }
  }

  @Test
  void whatTheForegroundNeedsBeyondItsReserveIsTakenFromBestEffort() throws Exception {
    Map<String, String> properties =
        Map.of(
            CHARON + "node.tick-ms", "250",
            CHARON + "killer.threshold-percent", "0",
            CHARON + "regulator.memory-mode", "enforce",
            CHARON + "regulator.memory-window-ms", "10000",
            CHARON + "regulator.memory-std-factor", "5.5",
            CHARON + "audit.directory", audit.toString());
    Path grow = audit.resolve("grow");
    try (TestNode node = TestNode.start("charon", properties)) {
      Path cgroup = node.memoryCgroup().resolve("production/foreground");
      Files.createDirectory(cgroup);
      Process foreground =
          new ProcessBuilder("/bin/sh", "-c", FOREGROUND, "sh", cgroup.toString(), grow.toString())
              .start();
      try {
        // A regulator that never saw this node without the foreground, and finds what a killed one
        // left.
        node.cluster().killNodeManager(0);
        node.cluster().startNodeManager(0);
        await("a window is full", () -> regulator(node).path("mean").isNumber());
        double mean = regulator(node).path("mean").asDouble();
        double headroom = 5.5 * regulator(node).path("standardDeviation").asDouble();
        assertThat(headroom).isGreaterThan(500 * MEBIBYTE);
        assertThat(regulator(node).path("result").asText()).startsWith("applied: ");
        // So much that it no longer fits beside a reserve that moved up, and with what the
        // foreground
        // then holds leaves the node enough room: else Linux is faster than the next tick.
        double held = regulator(node).path("limit").asDouble() - 0.75 * headroom;
        HoldJob job = node.submit(2, (int) (held / MEBIBYTE) - 120);
        await(
            "best-effort has grown",
            () -> regulator(node).path("bestEffort").asDouble() > held - 120 * MEBIBYTE);
        assertThat(node.status().path("kills")).isEmpty();

        long beyondReserve = (long) (mean + headroom + 100 * MEBIBYTE);
        Files.move(Files.writeString(audit.resolve("size"), "" + beyondReserve), grow);
        await("best-effort gives way", () -> !node.status().path("kills").isEmpty());
        JsonNode kill = node.status().path("kills").get(0);
        assertThat(kill.path("by").asText()).isEqualTo("regulator");
        String line = "\"action\":\"kill\",\"target\":\"" + kill.path("containerId").asText() + '"';
        await(
            "the audit says so",
            () -> Files.readString(audit.resolve("audit.jsonl")).contains(line));
        assertThat(Files.readString(audit.resolve("audit.jsonl")))
            .contains("\"action\":\"tighten\"");
        job.kill();
      } finally {
        TimedProgram.end(foreground);
        await("the foreground is gone", () -> Files.readString(procs(cgroup)).isEmpty());
        Files.delete(cgroup);
      }
    }
  }

  private static Path procs(Path cgroup) {
    return cgroup.resolve("cgroup.procs");
  }

  private static JsonNode regulator(TestNode node) throws InterruptedException {
    return node.status().path("regulators").path(0);
  }
}
