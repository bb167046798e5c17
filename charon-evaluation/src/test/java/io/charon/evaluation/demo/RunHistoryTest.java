/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RunHistoryTest {
  @TempDir private Path directory;

  @Test
  void runsAccumulateOverCallsAndInconclusiveOnesDoNotCount() throws IOException {
    Path file = directory.resolve("new").resolve("runs.jsonl");
    add(file, 24, 0.1);
    add(file, 32, 0.1);
    add(file, 16, 0.11);

    RunHistory history = RunHistory.read(file, Results.CONDITIONS);

    assertThat(history.size()).isEqualTo(3);
    assertThat(history.conclusive()).isEqualTo(2);
    assertThat(history.values("/workFactor")).containsExactly(3.0, 4.0, 2.0);
    assertThat(history.lines().get(0)).startsWith("3 runs: 2 passed, 0 failed, 1 inconclusive");
    assertThat(history.lines().get(1)).matches("Charon's work.* 3\\.00 {2}\\(2\\.00 to 4\\.00\\)");
  }

  @Test
  void theMedianOfTheRunsIsJudgedToo() throws IOException {
    Path enough = directory.resolve("enough.jsonl");
    add(enough, 24, 0.1);
    add(enough, 24, 0.1);
    Path few = directory.resolve("few.jsonl");
    add(few, 21, 0.1);
    add(few, 21, 0.1);

    RunHistory passed = RunHistory.read(enough, Results.CONDITIONS);
    RunHistory failed = RunHistory.read(few, Results.CONDITIONS);

    assertThat(passed.outcome(2)).isEqualTo(DemoOutcome.PASSED);
    assertThat(passed.lines()).anyMatch(line -> line.startsWith("  holds: a median of at least 3"));
    assertThat(failed.outcome(2)).isEqualTo(DemoOutcome.FAILED);
    assertThat(failed.lines()).anyMatch(line -> line.startsWith("  DOES NOT HOLD"));
  }

  @Test
  void tooFewConclusiveRunsNeitherPassNorFail() throws IOException {
    Path file = directory.resolve("runs.jsonl");
    add(file, 24, 0.11);
    add(file, 24, 0.11);
    assertThat(RunHistory.read(file, Results.CONDITIONS).outcome(2))
        .isEqualTo(DemoOutcome.INCONCLUSIVE);

    add(file, 24, 0.1);
    assertThat(RunHistory.read(file, Results.CONDITIONS).outcome(2))
        .isEqualTo(DemoOutcome.INCONCLUSIVE);

    add(file, 24, 0.1);
    assertThat(RunHistory.read(file, Results.CONDITIONS).outcome(2)).isEqualTo(DemoOutcome.PASSED);
  }

  @ParameterizedTest
  @MethodSource("otherConditions")
  void runsUnderOtherConditionsAreNotMixedIn(RunConditions conditions) throws IOException {
    Path file = directory.resolve("runs.jsonl");
    add(file, 24, 0.1);

    assertThat(RunHistory.read(file, conditions).size()).isZero();
    assertThat(RunHistory.read(file, Results.CONDITIONS).size()).isEqualTo(1);
  }

  private static List<RunConditions> otherConditions() {
    List<DemoMode> modes = Results.CONDITIONS.modes();
    DemoOptions.Input usual = Results.CONDITIONS.input();
    return List.of(
        new RunConditions(
            WorkloadPlan.of(WorkloadKind.MEMORY, 3072, Results.PLAN.times(), false),
            modes,
            usual,
            "3.4.2",
            true,
            true),
        new RunConditions(Results.PLAN, List.of(DemoMode.ALONE), usual, "3.4.2", true, true),
        new RunConditions(
            Results.PLAN,
            modes,
            new DemoOptions.Input(Optional.of(Path.of("text")), 64),
            "3.4.2",
            true,
            true),
        new RunConditions(
            Results.PLAN, modes, new DemoOptions.Input(Optional.empty(), 128), "3.4.2", true, true),
        new RunConditions(Results.PLAN, modes, usual, "3.5.0", true, true),
        new RunConditions(Results.PLAN, modes, usual, "3.4.2", false, true),
        new RunConditions(Results.PLAN, modes, usual, "3.4.2", true, false));
  }

  @Test
  void runsOfTheSameWorkloadAreComparedHoweverSlowTheMachineWas() throws IOException {
    Path file = directory.resolve("runs.jsonl");
    add(file, 24, 0.1);

    RunHistory slow =
        RunHistory.read(
            file,
            new RunConditions(
                Results.PLAN.on(Duration.ofMillis(100)),
                Results.CONDITIONS.modes(),
                Results.CONDITIONS.input(),
                "3.4.2",
                true,
                true));

    assertThat(slow.size()).isEqualTo(1);
    assertThat(slow.values("/slowdown")).containsExactly(1.0);
  }

  @Test
  void aLineHasWhatTheRunWasJudgedBy() throws IOException {
    Path file = directory.resolve("runs.jsonl");
    add(file, 24, 0.1);

    JsonNode run = new ObjectMapper().readTree(Files.readString(file));
    assertThat(run.path("conclusive").asBoolean()).isTrue();
    assertThat(run.path("verdicts"))
        .isNotEmpty()
        .allSatisfy(
            verdict ->
                assertThat(verdict.fieldNames())
                    .toIterable()
                    .contains("name", "ok", "measured", "limit"));
    JsonNode charon = run.at("/modes/charon");
    assertThat(charon.path("completed").asInt()).isEqualTo(24);
    assertThat(charon.path("p50Seconds").asDouble()).isEqualTo(22);
    assertThat(charon.path("productionSeconds").asDouble()).isEqualTo(80);
    assertThat(charon.path("productionBusySeconds").asDouble()).isEqualTo(20);
    assertThat(run.at("/modes/alone/p50Seconds").isNull()).isTrue();
  }

  @Test
  void linesFromBeforeAFieldWasAddedCount() throws IOException {
    Path file = directory.resolve("runs.jsonl");
    add(file, 24, 0.1);
    ObjectNode old = (ObjectNode) new ObjectMapper().readTree(Files.readString(file));
    old.remove(List.of("conclusive", "verdicts"));
    for (JsonNode mode : old.path("modes")) {
      ((ObjectNode) mode).remove(List.of("completed", "p50Seconds", "productionBusySeconds"));
    }
    Files.writeString(file, old + "\n");
    add(file, 32, 0.1);

    RunHistory history = RunHistory.read(file, Results.CONDITIONS);

    assertThat(history.conclusive()).isEqualTo(2);
    assertThat(history.values("/workFactor")).containsExactly(3.0, 4.0);
    assertThat(history.values("/modes/charon/completed")).containsExactly(32.0);
    assertThat(history.outcome(2)).isEqualTo(DemoOutcome.PASSED);
  }

  private static void add(Path file, int tasks, double afterSeconds) throws IOException {
    RunHistory.read(file, Results.CONDITIONS)
        .add(
            Results.of(
                Results.run(DemoMode.ALONE, 0),
                Results.run(DemoMode.STOCK_YARN, 8),
                Results.run(DemoMode.CHARON, tasks, 0.1, 0.1, afterSeconds)));
  }
}
