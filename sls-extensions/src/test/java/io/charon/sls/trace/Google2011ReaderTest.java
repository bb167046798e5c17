/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import static io.charon.sls.trace.TraceFiles.NODE;
import static io.charon.sls.trace.TraceFiles.job;
import static io.charon.sls.trace.TraceFiles.part;
import static io.charon.sls.trace.TraceFiles.raw;
import static io.charon.sls.trace.TraceFiles.readAll;
import static io.charon.sls.trace.TraceFiles.task;
import static io.charon.sls.trace.TraceFiles.truncated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Google2011ReaderTest {
  private static final List<String> ONE_JOB = List.of(job(700, 5, 0), job(900, 5, 4));
  private static final List<String> ONE_TASK =
      List.of(task(700, 5, 0, 0, 2, 0.5), task(710, 5, 0, 1, 2, 0.5), task(810, 5, 0, 4, 2, 0.5));

  @TempDir private Path directory;

  private final BadRows badRows = new BadRows(false);

  private List<TraceJob> read() throws IOException {
    try (Google2011Reader reader = new Google2011Reader(directory, NODE, badRows)) {
      return readAll(reader);
    }
  }

  @Test
  void aTaskLastsFromItsScheduleToItsEndAndAsksForWhatThatRowSays() throws IOException {
    raw(directory, ONE_JOB, ONE_TASK);
    TraceJob job = read().get(0);
    assertThat(job.id()).isEqualTo("5");
    assertThat(job.name()).isEqualTo("logical5/2");
    assertThat(job.tier()).isEqualTo(Tier.OTHER);
    // This trace begins with its first task row, at 700 s.
    assertThat(job.submitMillis()).isZero();
    TaskBatch batch = job.batches().get(0);
    assertThat(batch.durationMillis()).isEqualTo(100_000);
    assertThat(batch.requestedBytes()).isEqualTo(NODE.memoryBytes() / 2);
    assertThat(batch.requestedCores()).isEqualTo(2.5);
    assertThat(badRows.count()).isZero();
  }

  @Test
  void aMachineLargerThanTheLargestDoesNotMakeTheCellHuge() throws IOException {
    raw(directory, ONE_JOB, ONE_TASK);
    part(directory, "machine_events", 0, List.of("0,1,0,p,1,1", "0,2,0,p,1,1e308"));
    try (Google2011Reader reader = new Google2011Reader(directory, NODE, badRows)) {
      assertThat(readAll(reader)).hasSize(1);
      assertThat(reader.cell().orElseThrow().memory()).isEqualTo(1);
    }
    assertThat(badRows.first()).singleElement().asString().contains(".csv.gz:2: a machine has");
  }

  @Test
  void anEvictedTaskCountsFromItsLastSchedule() throws IOException {
    raw(
        directory,
        ONE_JOB,
        List.of(
            task(700, 5, 0, 0, 0, 0.1),
            task(700, 5, 0, 1, 0, 0.1),
            task(750, 5, 0, 2, 0, 0.1),
            task(760, 5, 0, 0, 0, 0.1),
            task(770, 5, 0, 1, 0, 0.2),
            task(800, 5, 0, 4, 0, 0.2)));
    TaskBatch batch = read().get(0).batches().get(0);
    assertThat(batch.durationMillis()).isEqualTo(30_000);
    assertThat(batch.requestedBytes()).isEqualTo(Math.round(0.2 * NODE.memoryBytes()));
  }

  @Test
  void residentProductionIsThereFromTheStartAndRunsToTheEndOfTheTrace() throws IOException {
    raw(
        directory,
        List.of(job(0, 1, 0), job(650, 2, 0)),
        List.of(
            task(0, 1, 0, 0, 9, 0.3),
            task(0, 1, 0, 1, 9, 0.3),
            task(650, 2, 0, 0, 11, 0.1),
            task(1600, 2, 0, 1, 11, 0.1)));
    List<TraceJob> jobs = read();
    assertThat(jobs).extracting(TraceJob::tier).containsOnly(Tier.PRODUCTION);
    assertThat(jobs).extracting(TraceJob::resident).containsExactly(true, false);
    assertThat(jobs).extracting(TraceJob::submitMillis).containsExactly(0L, 50_000L);
    assertThat(jobs.get(0).batches().get(0).durationMillis()).isEqualTo(1_000_000);
  }

  /** The window begins at second 4200. */
  @Test
  void aWindowMayBeginLaterThanTheTrace() throws IOException {
    raw(
        directory,
        List.of(job(0, 1, 0), job(700, 5, 0), job(900, 5, 4), job(4300, 6, 0)),
        List.of(
            task(0, 1, 0, 0, 9, 0.3),
            task(0, 1, 0, 1, 9, 0.3),
            task(0, 1, 1, 0, 9, 0.3),
            task(0, 1, 1, 1, 9, 0.3),
            task(700, 5, 0, 0, 2, 0.5),
            task(710, 5, 0, 1, 2, 0.5),
            task(810, 5, 0, 4, 2, 0.5),
            task(1000, 1, 1, 4, 9, 0.3),
            task(4300, 6, 0, 0, 2, 0.1),
            task(4310, 6, 0, 1, 2, 0.1),
            task(4400, 6, 0, 4, 2, 0.1)));
    try (Google2011Reader reader = new Google2011Reader(directory, NODE, badRows, 1)) {
      List<TraceJob> jobs = readAll(reader);
      assertThat(jobs).extracting(TraceJob::id).containsExactly("1", "6");
      assertThat(jobs).extracting(TraceJob::resident).containsExactly(true, false);
      assertThat(jobs).extracting(TraceJob::submitMillis).containsExactly(0L, 100_000L);
      assertThat(jobs.get(0).batches())
          .singleElement()
          .satisfies(left -> assertThat(left.durationMillis()).isEqualTo(200_000));
      assertThat(reader.leftOut())
          .isEqualTo(
              Map.of("tasks that ended before the window", 2L, "jobs without a task that ran", 1L));
      assertThat(reader.cell()).contains(new TracedCell(2, 200_000));
    }
    assertThat(badRows.count()).isZero();
    assertThatThrownBy(() -> readAll(new Google2011Reader(directory, NODE, badRows, 2)))
        .isInstanceOf(TraceException.class)
        .hasMessageEndingWith("the trace ends before hour 2, at 1.1 hours");
  }

  @Test
  void saysHowLargeTheCellWas() throws IOException {
    raw(directory, ONE_JOB, ONE_TASK);
    try (Google2011Reader reader = new Google2011Reader(directory, NODE, badRows)) {
      readAll(reader);
      assertThat(reader.cell()).contains(new TracedCell(2, 110_000));
    }
  }

  @Test
  void tasksThatNeverRanAreLeftOutAndCounted() throws IOException {
    raw(
        directory,
        ONE_JOB,
        List.of(
            task(700, 5, 0, 0, 2, 0.5), task(710, 5, 0, 1, 2, 0.5), task(710, 5, 1, 0, 2, 0.5)));
    try (Google2011Reader reader = new Google2011Reader(directory, NODE, badRows)) {
      assertThat(readAll(reader)).hasSize(1);
      assertThat(reader.leftOut()).isEqualTo(Map.of("tasks that never ran", 1L));
    }
  }

  @Test
  void badRowsAreCountedAndTheFirstOnesNamed() throws IOException {
    List<String> tasks = new ArrayList<>(ONE_TASK);
    tasks.addAll(
        List.of(
            "not,a,row",
            task(820, 5, 1, 1, 2, 0.5).replace("820000000", "soon"),
            task(820, 5, 1, 1, 2, 1.5),
            task(820, 5, 1, 1, 99, 0.5),
            task(820, 5, 1, 1, 2, -0.5),
            task(820, 77, 0, 1, 2, 0.5),
            task(20, 5, 0, 1, 2, 0.5),
            task(820, 5, 3, 4, 2, 0.5),
            "\"820000000,,5,4,7,1,user,2,2,0.1,0.1,0,0"));
    raw(directory, ONE_JOB, tasks);
    assertThat(read().get(0).taskCount()).isEqualTo(1);
    assertThat(badRows.count()).isEqualTo(9);
    assertThat(badRows.first())
        .anySatisfy(
            row ->
                assertThat(row)
                    .contains("task_events", "part-00000-of-00500.csv.gz:4", "not an integer"))
        .anySatisfy(row -> assertThat(row).contains(":6", "1.5 memory of the largest machine"))
        .anySatisfy(row -> assertThat(row).contains(":7", "not from 0 to 11"))
        .anySatisfy(row -> assertThat(row).contains(":8", "not a number that is not negative"))
        .anySatisfy(row -> assertThat(row).contains(":9", "which no row submits"))
        .anySatisfy(row -> assertThat(row).contains(":10", "time goes back"))
        .anySatisfy(row -> assertThat(row).contains(":11", "ends, but was not submitted"));
  }

  @Test
  void strictStopsAtTheFirstBadRow() {
    raw(directory, ONE_JOB, List.of(ONE_TASK.get(0), "broken", ONE_TASK.get(1)));
    assertThatThrownBy(() -> readAll(new Google2011Reader(directory, NODE, new BadRows(true))))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("part-00000-of-00500.csv.gz:2: field 1 is \"broken\"");
  }

  @Test
  void aJobThatIsSubmittedTwiceCountsOnce() throws IOException {
    raw(
        directory,
        List.of(job(700, 5, 0), job(701, 5, 0), job(900, 5, 4), job(910, 5, 0)),
        List.of(ONE_TASK.get(0), ONE_TASK.get(1), ONE_TASK.get(2), task(920, 5, 0, 1, 2, 0.5)));
    assertThat(read()).hasSize(1);
    assertThat(badRows.first())
        .hasSize(3)
        .first()
        .asString()
        .contains("job_events", ":2", "a second time");
  }

  @Test
  void aTruncatedFileIsRefused() {
    raw(directory, ONE_JOB, ONE_TASK);
    List<String> many =
        IntStream.range(0, 20_000).mapToObj(i -> task(700 + i, 5, i, 1, 2, 0.5)).toList();
    truncated(directory.resolve("task_events/part-00000-of-00500.csv.gz"), many);
    assertThatThrownBy(this::read)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("truncated")
        .hasMessageMatching("(?s).*part-00000-of-00500\\.csv\\.gz:\\d+: .*");
  }

  @Test
  void aFileThatIsNotCompressedIsRefused() throws IOException {
    raw(directory, ONE_JOB, ONE_TASK);
    Path file = directory.resolve("job_events/part-00000-of-00500.csv.gz");
    Files.writeString(file, ONE_JOB.get(0));
    assertThatThrownBy(this::read).hasMessageContaining(file + ": not a complete gzip file");
  }

  @Test
  void anEndlessLineIsRefused() {
    raw(directory, ONE_JOB, List.of("7".repeat(1_000_000)));
    assertThatThrownBy(this::read).hasMessageContaining("a line of more than 65536 characters");
  }

  @Test
  void aMissingPartIsNamed() {
    raw(directory, ONE_JOB, ONE_TASK);
    part(directory, "task_events", 2, ONE_TASK);
    assertThatThrownBy(this::read).hasMessageContaining("part-00001-of-00500.csv.gz: missing");
  }

  @Test
  void aMissingTableIsNamed() {
    part(directory, "job_events", 0, ONE_JOB);
    assertThatThrownBy(this::read).hasMessageContaining("task_events: no such directory");
  }

  @Test
  void anEmptyTraceIsRefused() {
    raw(directory, List.of(), List.of());
    assertThatThrownBy(this::read).hasMessageContaining("task_events: no usable row");
  }

  @Test
  void aJobOfAHundredThousandTasksBecomesAFewBatches() throws IOException {
    List<String> tasks = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      tasks.add(task(700, 5, i, 1, 2, 0.001));
    }
    for (int i = 0; i < 100_000; i++) {
      tasks.add(task(701 + i / 1000, 5, i, 4, 2, 0.001));
    }
    raw(directory, List.of(job(700, 5, 0)), tasks);
    TraceJob job = read().get(0);
    assertThat(job.taskCount()).isEqualTo(100_000);
    assertThat(job.batches()).hasSizeLessThan(400);
    double seconds =
        job.batches().stream().mapToDouble(b -> b.count() * b.durationMillis() / 1000.0).sum();
    assertThat(seconds / 100_000).isBetween(50.4, 50.6);
  }
}
