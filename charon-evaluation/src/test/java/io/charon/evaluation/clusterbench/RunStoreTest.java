/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.evaluation.machine.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunStoreTest {
  private static final String ONE_FAILED =
      "batch, charon at X3, repetition 1: the production job failed in 1 earlier attempt";

  @TempDir private Path directory;

  private static List<String> failures(RunStore store) {
    return store.earlierFailures(
        List.of(
            new PlannedRun(ProductionKind.BATCH, ClusterMode.CHARON, 3, 0),
            new PlannedRun(ProductionKind.BATCH, ClusterMode.CHARON, 3, 1)));
  }

  @Test
  void theNextCallHasTheRunsOfTheOneBefore() throws IOException {
    ClusterRunMeasurement batch = Runs.batch(ClusterMode.CHARON, 3, 1, 20, 4);
    ClusterRunMeasurement service = Runs.service(ClusterMode.STOCK_YARN, 3, 299.5, 4);
    open(BestEffortKind.MAPREDUCE).add(batch);
    open(BestEffortKind.MAPREDUCE).add(service);

    RunStore store = open(BestEffortKind.MAPREDUCE);

    assertThat(store.of(batch.run())).hasValue(batch);
    assertThat(store.of(service.run())).hasValue(service);
    assertThat(store.of(new PlannedRun(ProductionKind.BATCH, ClusterMode.CHARON, 3, 0))).isEmpty();
  }

  @Test
  void aRunInWhichProductionFailedIsReportedOnceAndMeasuredAgain() throws IOException {
    ClusterRunMeasurement measured = Runs.batch(ClusterMode.CHARON, 3, 0, 20, 4);
    ClusterRunMeasurement failed = Runs.failed(measured);
    RunStore store = open(BestEffortKind.MAPREDUCE);
    store.add(failed);

    assertThat(store.of(failed.run())).hasValue(failed);
    assertThat(failures(store)).isEmpty();
    store = open(BestEffortKind.MAPREDUCE);
    assertThat(store.of(failed.run())).isEmpty();
    assertThat(failures(store)).containsExactly(ONE_FAILED);
    store.add(failed);
    assertThat(failures(store)).containsExactly(ONE_FAILED);
    store = open(BestEffortKind.MAPREDUCE);
    store.add(measured);
    for (RunStore each : List.of(store, open(BestEffortKind.MAPREDUCE))) {
      assertThat(each.of(failed.run())).hasValue(measured);
      assertThat(failures(each))
          .containsExactly(ONE_FAILED.replace("1 earlier attempt", "2 earlier attempts"));
    }
  }

  @Test
  void aFailedRunOfAnEarlierVersionIsMeasuredAgain() throws IOException {
    ClusterRunMeasurement measured = Runs.batch(ClusterMode.CHARON, 3, 0, 20, 4);
    open(BestEffortKind.MAPREDUCE).add(measured);
    Path file = directory.resolve("runs.jsonl");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("\"problems\":[]", "\"problems\":[\"the production job failed\"]"));

    assertThat(open(BestEffortKind.MAPREDUCE).of(measured.run())).isEmpty();
  }

  @Test
  void runsOfAnotherKindOfBestEffortAreNotMixed() throws IOException {
    open(BestEffortKind.MAPREDUCE).add(Runs.batch(ClusterMode.CHARON, 3, 0, 20, 4));

    assertThatThrownBy(() -> open(BestEffortKind.TASKS))
        .hasMessageContaining(
            "runs.jsonl: line 1 is a run of mapreduce, not of tasks: name another file");
  }

  @Test
  void runsOfAnotherMachineOrSetUpAreNotMixed() throws IOException {
    open(BestEffortKind.TASKS).add(Runs.batch(ClusterMode.CHARON, 3, 0, 20, 4));

    assertThatThrownBy(
            () ->
                open(
                    BestEffortKind.TASKS,
                    new Setting(List.of("Hadoop 3.5.0", "without swap", "kernel 6.1"))))
        .hasMessageContaining(
            "line 1 is a run of Hadoop 3.4.2, with swap, not of Hadoop 3.5.0, without swap: name"
                + " another file");
  }

  @Test
  void runsThatDoNotSayWhereTheyWereMeasuredAreRefusedAndKept() throws IOException {
    open(BestEffortKind.TASKS, new Setting(List.of()))
        .add(Runs.batch(ClusterMode.CHARON, 3, 0, 20, 4));
    Path file = directory.resolve("runs.jsonl");
    String before = Files.readString(file);
    assertThat(before).startsWith("{\"setting\":\"60 s, centralized, tasks\",");

    assertThatThrownBy(() -> open(BestEffortKind.TASKS))
        .hasMessageContaining(
            "line 1 is a run of an unknown setting, not of Hadoop 3.4.2, with swap, kernel 6.1:"
                + " name another file");
    assertThat(file).hasContent(before);
  }

  private RunStore open(BestEffortKind kind) throws IOException {
    return open(kind, new Setting(List.of("Hadoop 3.4.2", "with swap", "kernel 6.1")));
  }

  private RunStore open(BestEffortKind kind, Setting machine) throws IOException {
    return RunStore.open(
        Optional.of(directory.resolve("runs.jsonl")),
        new ClusterOptions(
            List.of(ProductionKind.BATCH),
            List.of(ClusterMode.CHARON),
            List.of(3),
            kind,
            BestEffortPlacement.CENTRALIZED,
            2,
            Duration.ofMinutes(1),
            false),
        machine);
  }
}
