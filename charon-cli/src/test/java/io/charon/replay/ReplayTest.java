/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.Counter;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchDecision.Outcome;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.Owner;
import io.charon.nodemanager.agent.MechanismList;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.mechanisms.launch.LocalSchedulers;
import io.charon.nodemanager.report.recording.RecordingWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drives a launch gate as YARN does, with a clock of its own, and records it. */
@Tag("hadoop")
@Tag("long")
class ReplayTest {
  private static final String SCHEDULER = SettingsReader.PREFIX + "scheduler.";
  private static final long MEBIBYTE = 1 << 20;
  private static final long CAPACITY = 4096 * MEBIBYTE;
  private static final Map<String, String> KEYS =
      Map.of(
          SCHEDULER + "resync-ms",
          "1000",
          SCHEDULER + "launch-backoff-ms",
          "5000",
          SCHEDULER + "starts-per-core",
          "0.5",
          SCHEDULER + "start-window-ms",
          "6500",
          SCHEDULER + "runnable-per-core",
          "2");

  @TempDir private Path directory;
  private long nanos = Duration.ofHours(1).toNanos();
  private int containers;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void theSameSettingsGiveTheSameDecisions(long seed) throws Exception {
    long launched = record(new Random(seed), 600);

    ReplayResult result = new Replay(Map.of()).run(Replay.files(directory));

    assertThat(launched).isGreaterThan(20);
    assertThat(result.shifts().differences()).isEmpty();
    assertThat(result.recorded().launched()).isEqualTo(launched);
    assertThat(result.replayed()).isEqualTo(result.recorded());
    assertThat(result.recording().readings()).isEqualTo(600);
    assertThat(result.recording().lostLines()).isZero();
    assertThat(result.recording().kills()).isPositive();
    assertThat(result.recorded().waitSeconds()).isPositive();
    assertThat(result.recorded().bestEffortGibibyteSeconds()).isPositive();
  }

  @Test
  void aShorterDelayAfterAKillStartsContainersEarlier() throws Exception {
    record(new Random(7), 600);

    ReplayResult result =
        new Replay(Map.of(SCHEDULER + "launch-backoff-ms", "0")).run(Replay.files(directory));

    assertThat(result.shifts().earlier()).isPositive();
    assertThat(result.shifts().earlierSeconds()).isGreaterThan(result.shifts().laterSeconds());
    assertThat(result.replayed().waitSeconds()).isLessThan(result.recorded().waitSeconds());
    assertThat(result.shifts().differences()).isNotEmpty();
  }

  @Test
  void theJsonOfAResultIsOneFlatObject() throws Exception {
    ReplayResult result =
        new ReplayResult(
            new ReplayResult.Recording(600, 599, 3, 1),
            new ReplayResult.Side(7, 1.5, 2, 4.25),
            new ReplayResult.Side(8, 0.5, 1, 5.25),
            new ReplayResult.Shifts(
                1, 2.5, 0, 0, 0, List.of(new ReplayResult.Difference("container_1", 9.5, null))));

    assertThat(new ObjectMapper().writeValueAsString(result))
        .isEqualTo(
            """
            {"seconds":600.0,"readings":599,"kills":3,"lostLines":1,\
            "recorded":{"launched":7,"waitSeconds":1.5,"readingsWithoutMemory":2,\
            "bestEffortGibibyteSeconds":4.25},\
            "replayed":{"launched":8,"waitSeconds":0.5,"readingsWithoutMemory":1,\
            "bestEffortGibibyteSeconds":5.25},\
            "earlier":1,"earlierSeconds":2.5,"later":0,"laterSeconds":0.0,"notStarted":0,\
            "differences":[{"containerId":"container_1","recordedSeconds":9.5,\
            "replayedSeconds":null}]}""");
  }

  @Test
  void aLongerDelayStartsThemLater() throws Exception {
    record(new Random(7), 600);

    ReplayResult result =
        new Replay(Map.of(SCHEDULER + "launch-backoff-ms", "60000")).run(Replay.files(directory));

    assertThat(result.shifts().later() + result.shifts().notStarted()).isPositive();
    assertThat(result.replayed().bestEffortGibibyteSeconds())
        .isLessThan(result.recorded().bestEffortGibibyteSeconds());
  }

  @ParameterizedTest
  @ValueSource(strings = {"starts-per-core", "runnable-per-core"})
  void withoutALimitContainersStartEarlier(String limit) throws Exception {
    record(new Random(7), 600);

    ReplayResult result = new Replay(Map.of(SCHEDULER + limit, "0")).run(Replay.files(directory));

    assertThat(result.shifts().earlier()).isPositive();
    assertThat(result.replayed().waitSeconds()).isLessThan(result.recorded().waitSeconds());
  }

  @Test
  void aLongerStartWindowStartsThemLater() throws Exception {
    record(new Random(7), 600);

    ReplayResult result =
        new Replay(Map.of(SCHEDULER + "start-window-ms", "30000")).run(Replay.files(directory));

    assertThat(result.shifts().later() + result.shifts().notStarted()).isPositive();
  }

  /** The file begins while a container that was launched earlier is still starting. */
  @Test
  void containersThatWereStartingWhenAFileBeginsAreCounted() throws Exception {
    LaunchRequest before = request(new Random(1));
    LaunchRequest next = request(new Random(1));
    LaunchGate gate = gate();
    gate.processors(1, 0);
    gate.observed(new NodeMemory(CAPACITY, CAPACITY), Map.of());
    assertThat(gate.request(before).outcome()).isEqualTo(Outcome.LAUNCHED);
    nanos += Duration.ofSeconds(2).toNanos();
    RecordingWriter writer = writer();
    gate.record(writer::add);
    RecordingWriter.Checkpoint known = gate.checkpoint();
    writer.start(() -> known);
    for (int second = 0; second < 6; second++) {
      nanos += Duration.ofSeconds(1).toNanos();
      gate.observed(new NodeMemory(CAPACITY, CAPACITY), Map.of());
      gate.request(next);
    }
    assertThat(gate.isRunning(next.containerId())).isTrue();
    writer.close();

    ReplayResult result = new Replay(Map.of()).run(Replay.files(directory));

    assertThat(result.recorded().waitSeconds()).isEqualTo(4);
    assertThat(result.replayed()).isEqualTo(result.recorded());
    assertThat(result.shifts().differences()).isEmpty();
  }

  @Test
  void aKeyWithoutEffectOrWithAWrongValueIsRefused() throws Exception {
    assertThatThrownBy(() -> new Replay(Map.of(SettingsReader.PREFIX + "mode", "off")))
        .hasMessageContaining("mode has no effect on a replay; choose from")
        .hasMessageContaining(SCHEDULER + "launch-backoff-ms");
    record(new Random(1), 10);
    assertThatThrownBy(
            () ->
                new Replay(Map.of(SCHEDULER + "launch-backoff-ms", "soon"))
                    .run(Replay.files(directory)))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("launch-backoff-ms is 'soon'");
  }

  @Test
  void aDirectoryWithoutARecordingSaysWhichKeyMakesOne() throws Exception {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThatThrownBy(() -> Replay.files(empty))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("recording.directory");
  }

  /** Containers arrive and run for a while, and one is killed now and then. */
  private long record(Random random, int seconds) throws SettingsException {
    LaunchGate gate = gate();
    RecordingWriter writer = writer();
    gate.record(writer::add);
    writer.start(() -> new RecordingWriter.Checkpoint(Duration.ofHours(1).toNanos(), List.of()));
    long launched = drive(gate, random, seconds);
    writer.close();
    return launched;
  }

  private LaunchGate gate() throws SettingsException {
    Configuration configuration = new Configuration(false);
    KEYS.forEach(configuration::set);
    configuration.set("yarn.nodemanager.opportunistic-containers-max-queue-length", "5");
    return new LaunchGate(
        LocalSchedulers.bySnapshot(SettingsReader.read(configuration, MechanismList.keys())),
        Duration.ofDays(1),
        () -> nanos,
        Clock.systemUTC(),
        waited -> {},
        "");
  }

  private RecordingWriter writer() {
    return new RecordingWriter(
        directory, 64 * MEBIBYTE, KEYS, new Counter(), () -> nanos, Clock.systemUTC());
  }

  private long drive(LaunchGate gate, Random random, int seconds) {
    Map<String, LaunchRequest> waiting = new HashMap<>();
    Map<String, Long> running = new HashMap<>();
    Map<String, Long> endNanos = new HashMap<>();
    long launched = 0;
    for (int second = 0; second < seconds; second++) {
      nanos += Duration.ofSeconds(1).toNanos();
      gate.processors(2, random.nextInt(300) / 100.0);
      for (String ended : List.copyOf(endNanos.keySet())) {
        if (nanos > endNanos.get(ended)) {
          gate.ended(ended, running.remove(ended), ContainerEnd.COMPLETED);
          endNanos.remove(ended);
        }
      }
      long used = running.values().stream().mapToLong(Long::longValue).sum();
      long production = (1024 + random.nextInt(1024)) * MEBIBYTE;
      boolean mayStart =
          gate.observed(
              new NodeMemory(CAPACITY, Math.max(0, CAPACITY - used - production)), running);
      if (random.nextInt(4) == 0) {
        LaunchRequest request = request(random);
        waiting.put(request.containerId(), request);
        mayStart |= gate.request(request).outcome() == Outcome.LAUNCHED;
      }
      while (mayStart) {
        for (String id : new ArrayList<>(waiting.keySet())) {
          if (gate.isRunning(id)) {
            waiting.remove(id);
            running.put(id, (200 + random.nextInt(600)) * MEBIBYTE);
            endNanos.put(id, nanos + Duration.ofSeconds(5 + random.nextInt(30)).toNanos());
            launched++;
          }
        }
        List<String> order = gate.waitingInOrder();
        mayStart =
            !order.isEmpty()
                && gate.request(waiting.get(order.get(0))).outcome() == Outcome.LAUNCHED;
      }
      if (random.nextInt(60) == 0 && !running.isEmpty()) {
        gate.killedForMemory();
        String victim = running.keySet().iterator().next();
        endNanos.put(victim, nanos);
      }
    }
    return launched;
  }

  private LaunchRequest request(Random random) {
    return new LaunchRequest(
        "container_" + containers++,
        ExecutionType.OPPORTUNISTIC,
        new JobKey("job" + random.nextInt(3)),
        new Owner("alice", "application_1_0001"),
        1024 * MEBIBYTE);
  }
}
