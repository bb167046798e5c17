/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.report.recording.Recorded;
import io.charon.nodemanager.report.recording.RecordingReader;
import io.charon.nodemanager.report.recording.RecordingWriter;
import io.charon.web.http.WebAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the recording of production beside best-effort by an agent in mode observe. */
@Tag("hadoop")
class CharonNodeIntervalsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @TempDir private Path root;

  /**
   * The clock advances by a fixed step whenever the tick reads it, independently of the machine's
   * load.
   */
  @Test
  void eachThirtySecondsOfProductionBesideBestEffortAreALine() throws Exception {
    FakeMachine machine = FakeMachine.v2(root);
    for (String cgroup : List.of("charon", "charon/production", "charon/best-effort")) {
      machine
          .file("cgroup/" + cgroup + "/cgroup.subtree_control", "cpuset cpu io memory pids\n")
          .file("cgroup/" + cgroup + "/cpu.weight", "100\n")
          .file("cgroup/" + cgroup + "/cpu.stat", "usage_usec 5\nthrottled_usec 0\n");
    }
    machine
        .file("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 500 kB\n")
        .file("proc/stat", "cpu 1 1 1 1 1 1 1\ncpu0 1 1 1 1 1 1 1\n")
        .detect("/charon");
    Path recording = root.resolve("recording");
    AtomicLong clock = new AtomicLong();
    long look = Duration.ofMillis(250).toNanos();
    CharonNode node =
        new CharonNode(
            TestSettings.of(
                "mode", "observe",
                "cgroup.every-mode.enabled", "true",
                "memory-limit.mode", "off",
                "node.tick-ms", "100",
                "recording.directory", recording.toString()),
            new Surroundings(
                root.resolve("proc"),
                root.resolve("sys"),
                Clock.systemUTC(),
                () ->
                    Thread.currentThread().getName().equals("charon-tick")
                        ? clock.addAndGet(look)
                        : clock.get(),
                WebAccess.unconfigured()),
            new FakeYarn());
    node.start();
    try {
      long start = System.nanoTime();
      while (!hasInterval(recording) && System.nanoTime() - start < DEADLINE.toNanos()) {
        Thread.sleep(50);
      }
    } finally {
      node.close();
    }
    assertThat(intervals(recording))
        .isNotEmpty()
        .allSatisfy(
            line -> {
              assertThat(line.seconds()).isBetween(30.0, 35.0);
              assertThat(line.bestEffortCores()).isZero();
              assertThat(line.productionCores()).isZero();
              assertThat(line.cyclesPerInstruction()).as("nobody counts them").isNull();
            });
  }

  /** Returns false also for a recording that was not flushed yet. */
  private static boolean hasInterval(Path recording) {
    try {
      return !intervals(recording).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  private static List<Recorded.SideBySide> intervals(Path recording) throws IOException {
    List<Recorded.SideBySide> intervals = new ArrayList<>();
    Path file = recording.resolve(RecordingWriter.NEWEST);
    if (Files.exists(file) && Files.size(file) > 0) {
      new RecordingReader(file)
          .read(
              line -> {
                if (line instanceof Recorded.SideBySide interval) {
                  intervals.add(interval);
                }
              });
    }
    return intervals;
  }
}
