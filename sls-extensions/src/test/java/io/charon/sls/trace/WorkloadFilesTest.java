/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.sls.workload.JobType;
import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.TaskGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadFilesTest {
  private static final SimulatedJob JOB =
      new SimulatedJob(
          "j1",
          "name",
          "user",
          Side.BEST_EFFORT,
          JobType.MAPREDUCE,
          5,
          List.of(new TaskGroup(2, 100, 1, 0.5, 1000, MemoryCurve.constant(60, 7))));

  private static final String HEADER_LINE =
      """
      {"format":"charon-workload","version":1,"nodes":1,"nodeMemoryBytes":1000,"nodeCores":2,\
      "productionJobs":0,"bestEffortJobs":2,"tasks":2,"usedOverRequested":0.5,\
      "productionUsedOverRequested":0,"bestEffortUsedOverRequested":0.5,"load":1,"seed":1,\
      "provenance":"","rules":[]}""";
  private static final String JOB_LINE =
      """
      {"id":"a","name":"a","user":"u","side":"BEST_EFFORT","type":"SQL","submitMillis":9,\
      "tasks":[{"count":1,"requestedBytes":100,"virtualCores":1,"usedCores":1,\
      "durationMillis":5,"memory":[[0,1,1]]}]}""";

  @TempDir private Path directory;

  private static WorkloadHeader header(long production, long bestEffort) {
    return new WorkloadHeader(
        4,
        TraceNodeSize.ofThePaper(),
        new WorkloadHeader.Counts(production, bestEffort, 2),
        new WorkloadHeader.UsedOverRequested(0.5, 0.6, 0.4),
        1,
        42,
        "test",
        List.of("a rule"));
  }

  @Property(tries = 50)
  void whatIsWrittenIsRead(@ForAll("jobs") List<SimulatedJob> jobs) throws IOException {
    Path file = Files.createTempFile("workload", ".jsonl.gz");
    List<SimulatedJob> sorted = new ArrayList<>(jobs);
    sorted.sort(Comparator.comparingLong(SimulatedJob::submitMillis));
    WorkloadHeader header = header(0, jobs.size());
    try (WorkloadWriter writer = new WorkloadWriter(file, header)) {
      for (SimulatedJob job : sorted) {
        writer.write(job);
      }
      writer.finish();
    }
    try (WorkloadReader reader = new WorkloadReader(file)) {
      assertThat(reader.header()).isEqualTo(header);
      for (SimulatedJob job : sorted) {
        assertThat(reader.next()).contains(job);
      }
      assertThat(reader.next()).isEmpty();
    }
    Files.delete(file);
  }

  @Provide
  Arbitrary<List<SimulatedJob>> jobs() {
    Arbitrary<MemoryCurve> curves =
        Arbitraries.longs()
            .between(0, 1L << 36)
            .list()
            .ofMinSize(1)
            .ofMaxSize(5)
            .map(
                bytes -> {
                  List<MemoryCurve.Point> points = new ArrayList<>();
                  for (int i = 0; i < bytes.size(); i++) {
                    long all = bytes.get(i);
                    points.add(new MemoryCurve.Point(i / 7.0, all, all / 3, all / 5));
                  }
                  return new MemoryCurve(points);
                });
    Arbitrary<TaskGroup> groups =
        Combinators.combine(
                Arbitraries.integers().between(1, 100_000),
                Arbitraries.longs().between(1, 1L << 37),
                Arbitraries.integers().between(1, 32),
                Arbitraries.integers().between(0, 4000),
                Arbitraries.longs().between(1, 1L << 40),
                curves,
                Arbitraries.integers().between(0, 2))
            .as(
                (count, bytes, cores, milliCores, millis, curve, stage) ->
                    new TaskGroup(count, bytes, cores, milliCores / 1000.0, millis, curve, stage));
    return Combinators.combine(
            Arbitraries.strings().ofMinLength(1).ofMaxLength(20),
            Arbitraries.of(Side.class),
            Arbitraries.of(JobType.class),
            Arbitraries.longs().between(0, 1L << 40),
            groups.list().ofMinSize(1).ofMaxSize(4))
        .as(
            (text, side, type, submit, tasks) ->
                new SimulatedJob(text, text + "/0", "u" + text, side, type, submit, tasks))
        .list()
        .ofMaxSize(20);
  }

  private Path write(SimulatedJob... jobs) throws IOException {
    Path file = directory.resolve("w.jsonl.gz");
    try (WorkloadWriter writer = new WorkloadWriter(file, header(0, jobs.length))) {
      for (SimulatedJob job : jobs) {
        writer.write(job);
      }
      writer.finish();
    }
    return file;
  }

  private Path lines(String... lines) {
    return TraceFiles.gzip(directory.resolve("lines.jsonl.gz"), List.of(lines));
  }

  private static List<SimulatedJob> readAll(Path file) throws IOException {
    List<SimulatedJob> jobs = new ArrayList<>();
    try (WorkloadReader reader = new WorkloadReader(file)) {
      for (Optional<SimulatedJob> job = reader.next(); job.isPresent(); job = reader.next()) {
        jobs.add(job.get());
      }
    }
    return jobs;
  }

  @Test
  void aFileAppearsOnlyWhenCompleteAndLeavesNoTemporaryFile() throws IOException {
    Path file = directory.resolve("w.jsonl.gz");
    Files.writeString(file, "before");
    try (WorkloadWriter writer = new WorkloadWriter(file, header(0, 2))) {
      writer.write(JOB);
    }
    assertThat(Files.readString(file)).isEqualTo("before");
    write(JOB);
    assertThat(readAll(file)).containsExactly(JOB);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void otherVersionsAndOtherFilesAreRefused() throws IOException {
    assertThatThrownBy(() -> readAll(lines("{\"format\":\"charon-workload\",\"version\":2}")))
        .hasMessageContaining(
            "lines.jsonl.gz:1: version 2 of the format; this Charon reads version 1");
    assertThatThrownBy(() -> readAll(lines("{\"a\":1}"))).hasMessageContaining("not a workload");
    assertThatThrownBy(() -> readAll(lines("hello"))).hasMessageContaining("lines.jsonl.gz:1");
    Path plain = Files.writeString(directory.resolve("plain"), "{}");
    assertThatThrownBy(() -> readAll(plain)).hasMessageContaining("not a complete gzip file");
    assertThatThrownBy(() -> readAll(directory.resolve("none")))
        .hasMessageContaining("none: no such file");
  }

  @Test
  void theFirstLineIsTheHeader() throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(write(JOB))), StandardCharsets.UTF_8))) {
      assertThat(lines.readLine())
          .isEqualTo(
              """
              {"format":"charon-workload","version":1,"nodes":4,"nodeMemoryBytes":137438953472,\
              "nodeCores":32,"productionJobs":0,"bestEffortJobs":1,"tasks":2,\
              "usedOverRequested":0.5,"productionUsedOverRequested":0.6,\
              "bestEffortUsedOverRequested":0.4,"load":1,"seed":42,"provenance":"test",\
              "rules":["a rule"]}""");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | "nodes":1   | "nodes":4294967297 | nodes is 4294967297, not an integer of at most 2147483647
          1 | Bytes":1000 | Bytes":1e3         | nodeMemoryBytes is 1000.0, not an integer
          1 | Cores":2    | Cores":2.5         | nodeCores is 2.5, not an integer
          1 | "seed":1    | "seed":18446744073709551617 | not an integer of at most 9223372036854775807
          1 | "load":1    | "load":true        | load is true, not an integer
          1 | Requested":0.5 | Requested":"0.5" | usedOverRequested is "0.5", not a number
          2 | "count":1   | "count":4294967297 | count is 4294967297, not an integer of at most 2147483647
          2 | Bytes":100  | Bytes":18446744073709551716 | requestedBytes is 18446744073709551716, not
          2 | "virtualCores":1 | "virtualCores":1.5 | virtualCores is 1.5, not an integer
          2 | usedCores":1 | usedCores":1e999 | not a number
          2 | Millis":5   | Millis":5.5        | durationMillis is 5.5, not an integer
          2 | Millis":9   | Millis":"9"        | submitMillis is "9", not an integer
          2 | Millis":5   | Millis":4000000000001 | durationMillis is 4000000000001, not an integer of at most 4000000000000
          2 | Millis":9   | Millis":9223372036855 | submitMillis is 9223372036855, not an integer of at most 4000000000000
          2 | [0,1,1]     | [0,1,18446744073709551617] | page cache is 18446744073709551617
          """)
  void aNumberThatReadingWouldChangeIsRefused(
      int line, String number, String changed, String message) {
    String header = line == 1 ? HEADER_LINE.replace(number, changed) : HEADER_LINE;
    String job = line == 2 ? JOB_LINE.replace(number, changed) : JOB_LINE;
    assertThatThrownBy(() -> readAll(lines(header, job)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("lines.jsonl.gz:" + line + ": ")
        .hasMessageContaining(message);
  }

  @Test
  void brokenJobsAreNamedWithTheirLine() throws IOException {
    assertThatThrownBy(() -> readAll(lines(HEADER_LINE, JOB_LINE)))
        .hasMessageContaining(":3: the file ends after 1 of 2 jobs");
    assertThatThrownBy(() -> readAll(lines(HEADER_LINE, JOB_LINE, JOB_LINE.replace(":9", ":8"))))
        .hasMessageContaining(":3: job a is submitted before");
    assertThatThrownBy(() -> readAll(lines(HEADER_LINE, JOB_LINE.replace(":100", ":1001"))))
        .hasMessageContaining(":2: not a job: tasks ask for 1001 bytes");
    assertThatThrownBy(() -> readAll(lines(HEADER_LINE, JOB_LINE.replace("\"count\":1,", ""))))
        .hasMessageContaining(":2: not a job")
        .hasMessageContaining("count");
    assertThatThrownBy(() -> readAll(lines(HEADER_LINE, JOB_LINE.replace("[0,1,1]", "[2,1,1]"))))
        .hasMessageContaining(":2: not a job: a point needs a progress");
    assertThatThrownBy(() -> readAll(lines(HEADER_LINE, JOB_LINE.substring(9))))
        .hasMessageContaining("lines.jsonl.gz:2");
  }

  @Test
  void theLongestTimesAreReadAndTwoOfThemAreALongOfNanoseconds() throws IOException {
    String longest =
        JOB_LINE.replace("Millis\":5", "Millis\":4000000000000").replace(":9,", ":4000000000000,");
    SimulatedJob job = readAll(lines(HEADER_LINE.replace("Jobs\":2", "Jobs\":1"), longest)).get(0);
    assertThat(
            Math.multiplyExact(
                Math.addExact(job.submitMillis(), job.tasks().get(0).durationMillis()), 1_000_000))
        .isPositive();
  }

  @Test
  void aReaderThatChecksRefusesAnIdThatIsUsedTwice() throws IOException {
    Path file = lines(HEADER_LINE, JOB_LINE, JOB_LINE);
    assertThat(readAll(file)).hasSize(2);
    try (WorkloadReader reader = WorkloadReader.checking(file)) {
      assertThat(reader.next()).isPresent();
      assertThatThrownBy(reader::next)
          .isInstanceOf(TraceException.class)
          .hasMessageContaining("lines.jsonl.gz:3: the id a is used by an earlier job, too");
    }
    Path other = lines(HEADER_LINE, JOB_LINE, JOB_LINE.replace("\"id\":\"a\"", "\"id\":\"b\""));
    try (WorkloadReader reader = WorkloadReader.checking(other)) {
      assertThat(reader.next()).isPresent();
      assertThat(reader.next()).isPresent();
      assertThat(reader.next()).isEmpty();
    }
  }

  @Test
  void aWrittenIdIsNeverUsedTwice() {
    UsedIds ids = new UsedIds();
    assertThat(Stream.of("a", "a-x2", "a", "a", "b", "a-x2", "a-again2").map(ids::unused))
        .containsExactly(
            "a", "a-x2", "a-again2", "a-again3", "b", "a-x2-again2", "a-again2-again2");
  }

  @Test
  void hostileJsonIsRefusedWithItsLine() {
    assertThatThrownBy(() -> readAll(lines("[".repeat(200_000))))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("lines.jsonl.gz:1: ");
    String sameHash =
        IntStream.range(0, 1 << 9)
            .mapToObj(
                bits ->
                    IntStream.range(0, 9)
                        .mapToObj(bit -> (bits >> bit & 1) == 0 ? "b!" : "aB")
                        .collect(Collectors.joining("", "\"", "\": 1,")))
            .collect(Collectors.joining());
    assertThatThrownBy(() -> readAll(lines("{" + sameHash + "\"a\": 1}")))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("lines.jsonl.gz:1: not a workload");
  }

  @Test
  void aTruncatedFileIsNoticed() throws IOException {
    SimulatedJob[] many =
        Stream.iterate(0, i -> i + 1)
            .limit(2000)
            .map(
                i ->
                    new SimulatedJob(
                        "job" + Integer.toHexString(i * 7919),
                        "n" + i * 31,
                        "u",
                        JOB.side(),
                        JOB.type(),
                        i,
                        JOB.tasks()))
            .toArray(SimulatedJob[]::new);
    Path file = write(many);
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> readAll(file)).hasMessageContaining("truncated");
  }
}
