/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import static io.charon.sls.trace.TraceFiles.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlsJsonReaderTest {
  private static final TraceNodeSize NODE = new TraceNodeSize(8L << 30, 8);
  private static final String STOCK_TASK =
      """
      {"container.host": "/rack1/node1", "container.start.ms": 1000, "container.end.ms": 31000,
       "container.priority": 20, "container.type": "map"}""";

  @TempDir private Path directory;

  private final BadRows badRows = new BadRows(false);

  private List<TraceJob> read(String json) throws IOException {
    Path file = Files.writeString(directory.resolve("trace.json"), json);
    try (SlsJsonReader reader = new SlsJsonReader(file, NODE, badRows)) {
      return readAll(reader);
    }
  }

  private static String job(String id, long start, String... tasks) {
    return """
    {"am.type": "mapreduce", "job.start.ms": %d, "job.end.ms": 95375, "job.queue.name": "q",
     "job.id": "%s", "job.user": "jenkins", "job.tasks": [%s]}
    """
        .formatted(start, id, String.join(",", tasks));
  }

  @Test
  void readsHadoopsOwnFormatOneJobAfterTheOther() throws IOException {
    List<TraceJob> jobs =
        read(job("job_1", 500, STOCK_TASK, STOCK_TASK) + job("job_2", 1700, STOCK_TASK));
    assertThat(jobs).extracting(TraceJob::id).containsExactly("job_1", "job_2");
    assertThat(jobs).extracting(TraceJob::submitMillis).containsExactly(0L, 1200L);
    assertThat(jobs.get(0).tier()).isEqualTo(Tier.PRODUCTION);
    assertThat(jobs.get(0).user()).isEqualTo("jenkins");
    assertThat(jobs.get(0).taskCount()).isEqualTo(2);
    TaskBatch batch = jobs.get(0).batches().get(0);
    assertThat(batch.requestedBytes()).isEqualTo(1L << 30);
    assertThat(batch.durationMillis()).isEqualTo(30_000);
    assertThat(batch.measured()).isEmpty();
  }

  @Test
  void readsAnArrayOfJobsAndRepeatedOnes() throws IOException {
    String repeated =
        job("j", 0, STOCK_TASK).replace("\"job.user\"", "\"job.count\": 3, \"job.user\"");
    assertThat(read("[" + repeated + "]"))
        .extracting(TraceJob::id)
        .containsExactly("j", "j-2", "j-3");
  }

  @Test
  void aJobNamedAsACopyOfAnotherIsLeftOut() throws IOException {
    String repeated =
        job("j", 0, STOCK_TASK).replace("\"job.user\"", "\"job.count\": 2, \"job.user\"");
    String named = job("j-2", 0, STOCK_TASK);
    assertThat(read(repeated + named)).extracting(TraceJob::id).containsExactly("j", "j-2");
    assertThat(read(named + repeated)).extracting(TraceJob::id).containsExactly("j-2");
  }

  @Test
  void theAuthorsMemoryCurveHoldsEachValueUntilItsTime() throws IOException {
    String task =
        """
        {"container.start.ms": 0, "container.end.ms": 10000, "container.memory": 4096,
         "container.vcores": 2, "container.count": 3, "container.exetype": "opportunistic",
         "container.musage": {"times": [1000, 5000, 20000], "mems": [100, 2000, 500]}}""";
    TraceJob job = read(job("j", 0, task)).get(0);
    assertThat(job.tier().side()).isEqualTo(Side.BEST_EFFORT);
    assertThat(job.taskCount()).isEqualTo(3);
    MemoryCurve curve = job.batches().get(0).measured().orElseThrow();
    assertThat(curve.anonymousBytesAt(0.05)).isEqualTo(100L << 20);
    assertThat(curve.anonymousBytesAt(0.3)).isEqualTo(2000L << 20);
    assertThat(curve.anonymousBytesAt(0.49)).isEqualTo(2000L << 20);
    assertThat(curve.anonymousBytesAt(0.6)).isEqualTo(500L << 20);
    assertThat(curve.anonymousBytesAt(1)).isEqualTo(500L << 20);
    assertThat(MemoryUse.meanBytes(curve) / (1L << 20)).isBetween(1055.0, 1065.0);
  }

  @Test
  void noTextNameOrNumberIsKeptBeyondItsBoundNotEvenOneThatIsReadOver() {
    String large = "x".repeat(70_000);
    String digits = "7".repeat(70_000);
    for (String json :
        List.of(
            job(large, 0, STOCK_TASK),
            job("j", 0, STOCK_TASK.replace("{", "{\"other\": {\"deep\": \"" + large + "\"},")),
            job("j", 0, STOCK_TASK.replace("{", "{\"" + large + "\": 1,")),
            job("j", 0, STOCK_TASK.replace("{", "{\"" + "\\\\\\\"".repeat(20_000) + "\": 1,")),
            job("j", 0, STOCK_TASK.replace("{", "{\"other\": [" + digits + "],")))) {
      assertThatThrownBy(() -> read(json))
          .isInstanceOf(TraceException.class)
          .hasMessageContaining("more than 65536 characters");
    }
  }

  @Test
  void manyShortTextsAreNoLongOne() throws IOException {
    String many = "\"a\\\"b\", \"\\\\\", 12, ".repeat(20_000);
    assertThat(read(job("j", 0, STOCK_TASK.replace("{", "{\"other\": [" + many + "1],"))))
        .hasSize(1);
  }

  @Test
  void anObjectHasNoMoreFieldsThanTheirBound() {
    String fields =
        IntStream.range(0, 1001)
            .mapToObj(i -> "\"field" + i + "\": 1,")
            .collect(Collectors.joining());
    assertThatThrownBy(() -> read(job("j", 0, STOCK_TASK.replace("{", "{" + fields))))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("more than 1000 fields");
  }

  @Test
  void aJobHasNoMorePointsThanTheirBound() throws IOException {
    String times =
        IntStream.rangeClosed(1, 100_000)
            .mapToObj(String::valueOf)
            .collect(Collectors.joining(","));
    String mems = "1,".repeat(99_999) + "1";
    String[] tasks =
        IntStream.rangeClosed(1, 21)
            .mapToObj(
                i ->
                    STOCK_TASK
                        .replace("31000", String.valueOf(131_000 + i))
                        .replace(
                            "{",
                            "{\"container.musage\": {\"times\": ["
                                + times
                                + "], \"mems\": ["
                                + mems
                                + "]},"))
            .toArray(String[]::new);
    assertThatThrownBy(() -> read(job("j", 0, tasks)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("2000000 points");
  }

  @Test
  void jobsThatMakeNoSenseAreLeftOutAndNamed() throws IOException {
    String guaranteed = STOCK_TASK.replace("{", "{\"container.exetype\": \"guaranteed\",");
    String opportunistic =
        STOCK_TASK.replace("{", "{\"container.execution.type\": \"OPPORTUNISTIC\",");
    List<TraceJob> jobs =
        read(
            job("good", 0, STOCK_TASK)
                + job("mixed", 0, guaranteed, opportunistic)
                + job("good", 0, STOCK_TASK)
                + job("backwards", 0, STOCK_TASK.replace("31000", "900"))
                + job("large", 0, STOCK_TASK.replace("{", "{\"container.memory\": 99999,"))
                + job("odd", 0, STOCK_TASK.replace("{", "{\"container.musage\": {\"times\": [1]},"))
                + job("text", 0, STOCK_TASK.replace("31000", "\"later\""))
                + job("unknown", 0, guaranteed.replace("guaranteed", "maybe"))
                + "{\"jobID\": \"job_1\", \"mapTasks\": []}"
                + job("empty", 0));
    assertThat(jobs).extracting(TraceJob::id).containsExactly("good");
    assertThat(badRows.first())
        .satisfiesExactly(
            row -> assertThat(row).contains("trace.json:", "guaranteed and opportunistic"),
            row -> assertThat(row).contains("a second job with the id good"),
            row -> assertThat(row).contains("ends at 900"),
            row -> assertThat(row).contains("99999 MB", "a node has 8192 MB"),
            row -> assertThat(row).contains("1 times and 0 mems"),
            row -> assertThat(row).contains("\"later\", not an integer"),
            row -> assertThat(row).contains("\"maybe\" is not an execution type"),
            row -> assertThat(row).contains("no job.tasks"));
  }

  @Test
  void aCurveOfArraysLeavesItsJobOutAndNotTheNextOne() throws IOException {
    for (String times : List.of("[[1], 2]", "[1, {\"a\": [2]}]", "[[[]], 2]")) {
      String odd = "{\"container.musage\": {\"times\": " + times + ", \"mems\": [1, 2]},";
      assertThat(read(job("odd", 0, STOCK_TASK.replace("{", odd)) + job("good", 0, STOCK_TASK)))
          .extracting(TraceJob::id)
          .containsExactly("good");
    }
    assertThat(badRows.first())
        .hasSize(3)
        .allSatisfy(row -> assertThat(row).contains("trace.json:1: container.musage contains"));
  }

  @Test
  void aJobOfManyBatchesMayBeRepeatedManyTimes() throws IOException {
    String[] tasks =
        IntStream.rangeClosed(1, 5_000)
            .mapToObj(i -> STOCK_TASK.replace("31000", String.valueOf(31_000 + i)))
            .toArray(String[]::new);
    List<TraceJob> jobs =
        read(job("j", 0, tasks).replace("\"job.user\"", "\"job.count\": 100000, \"job.user\""));
    assertThat(jobs).hasSize(100_000);
    assertThat(jobs.get(99_999).batches()).isSameAs(jobs.get(0).batches());
  }

  @Test
  void namesWithTheSameHashAreRead() throws IOException {
    String fields =
        IntStream.range(0, 1 << 9)
            .mapToObj(
                bits ->
                    IntStream.range(0, 9)
                        .mapToObj(bit -> (bits >> bit & 1) == 0 ? "b!" : "aB")
                        .collect(Collectors.joining("", "\"", "\": 1,")))
            .collect(Collectors.joining());
    assertThat(read(job("j", 0, STOCK_TASK.replace("{", "{" + fields)))).hasSize(1);
  }

  @Test
  void brokenJsonIsRefusedWithItsLine() {
    assertThatThrownBy(() -> read(job("a", 0, STOCK_TASK) + "{\"job.id\": \"b\", "))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("trace.json:")
        .hasMessageContaining("not JSON");
    assertThatThrownBy(() -> read("17")).hasMessageContaining("a job must be a JSON object");
  }

  @Test
  void whatIsNotKnownIsReadOverUpToADepth() throws IOException {
    assertThat(read(withNested(50))).hasSize(1);
    assertThatThrownBy(() -> read(withNested(100_000)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(".json:2: objects and arrays are nested more than 100 deep");
  }

  private static String withNested(int depth) {
    String nested = "[".repeat(depth) + "]".repeat(depth);
    return job("a", 0, STOCK_TASK).replace("\"job.user\"", "\"x\": " + nested + ", \"job.user\"");
  }
}
