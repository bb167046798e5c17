/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SlsCompareCommandTest {
  private static final String RUN =
      """
      {"policy":"%s","load":1,"seed":%d,"bestEffort":{"submitted":10,"completed":5,"failed":1,"unfinished":4,\
      "completionRate":%s,"p50Seconds":10,"p90Seconds":null,"p99Seconds":30},"production":{"submitted":1,\
      "completed":1,"p50SlowdownVsAlone":1.0,"p90SlowdownVsAlone":1.1},"killsByCause":{"thrash":3,"linux-oom":1},\
      "rejections":2,"lostWorkSeconds":5.5,"memoryUtilization":0.5,"usedOverRequested":0.5,\
      "productionUsedOverAllocated":0.6}""";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private int run(String... arguments) {
    CommandLine command = Charon.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(
        Stream.concat(Stream.of("sls"), Arrays.stream(arguments)).toArray(String[]::new));
  }

  private String result(String name, String policy, int queueLimit, double... rates)
      throws IOException {
    String runs =
        IntStream.range(0, rates.length)
            .mapToObj(i -> RUN.formatted(policy, i + 1, rates[i]))
            .collect(Collectors.joining(","));
    return Files.writeString(
            directory.resolve(name),
            "{\"settings\":{\"queueLimit\":%d},\"runs\":[%s],\"partial\":%s}"
                .formatted(queueLimit, runs, queueLimit == 7))
        .toString();
  }

  @Test
  void differencesAndIntervalsArePrinted() throws IOException {
    String before = result("before.json", "charon", 10, 0.50, 0.51, 0.52);
    String close = result("close.json", "charon", 10, 0.51, 0.52, 0.53);
    String far = result("far.json", "charon", 5, 0.90, 0.91, 0.92);
    assertThat(run("compare", before, close, far, "--json")).as(err.toString()).isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    JsonNode rate = json.get("rows").get(0);
    assertThat(rate.get("measure").asText()).isEqualTo("completionRate");
    assertThat(rate.get("values").get(0).get("mean").asDouble()).isEqualTo(0.51);
    assertThat(rate.get("values").get(1).get("overlap").asBoolean()).isTrue();
    assertThat(rate.get("values").get(2).get("overlap").asBoolean()).isFalse();
    assertThat(rate.get("values").get(2).get("difference").asDouble()).isBetween(0.399, 0.401);
    assertThat(json.get("notes")).hasSize(1);
    assertThat(json.get("notes").get(0).asText()).contains("far.json", "queueLimit is 5, not 10");
  }

  private String drawn(String name, String key, String value, int... seedsOfCells)
      throws IOException {
    String runs =
        IntStream.range(0, seedsOfCells.length)
            .boxed()
            .flatMap(
                cell ->
                    IntStream.rangeClosed(1, seedsOfCells[cell])
                        .mapToObj(seed -> RUN.formatted("policy" + cell, seed, 0.5)))
            .collect(Collectors.joining(","));
    return Files.writeString(
            directory.resolve(name), "{\"%s\":%s,\"runs\":[%s]}".formatted(key, value, runs))
        .toString();
  }

  private String notes(String... files) throws IOException {
    String[] arguments =
        Stream.concat(Stream.of("compare", "--json"), Stream.of(files)).toArray(String[]::new);
    assertThat(run(arguments)).as(err.toString()).isZero();
    String text = new ObjectMapper().readTree(out.toString()).get("notes").toString();
    out.getBuffer().setLength(0);
    return text;
  }

  @Test
  void workloadsAreComparedSeedBySeed() throws IOException {
    String first = drawn("1.json", "workloads", "[{\"tasks\":1},{\"tasks\":2},{\"tasks\":3}]", 3);
    String same = drawn("2.json", "workloads", "[{\"tasks\":1},{\"tasks\":2},{\"tasks\":3}]", 3);
    String third = drawn("3.json", "workloads", "[{\"tasks\":1},{\"tasks\":2},{\"tasks\":9}]", 3);
    String most = drawn("4.json", "workloads", "[{\"tasks\":1},{\"tasks\":8},{\"tasks\":9}]", 3);
    assertThat(notes(first, same)).isEqualTo("[]");
    assertThat(notes(first, third)).contains("3.json: tasks is 9, not 3, for seed 3\"]");
    assertThat(notes(first, most))
        .contains("4.json: tasks is 8, not 2, for the first of the seeds 2, 3, which all differ");
    String forAll = drawn("5.json", "workloads", "[{\"tasks\":7}]", 3);
    assertThat(notes(first, forAll))
        .contains("another number of workloads in ", "5.json: 1, not 3", "tasks is 7, not 1\"");
    String old = drawn("6.json", "workload", "{\"tasks\":7}", 3);
    assertThat(notes(forAll, old)).isEqualTo("[]");
    assertThat(notes(old, drawn("7.json", "workload", "{\"tasks\":8}", 3)))
        .contains("another workload in ", "7.json: tasks is 8, not 7\"");
    assertThat(notes(old, drawn("8.json", "other", "1", 3)))
        .contains("8.json: tasks is not stated, not 7");
  }

  @Test
  void anotherNumberOfSeedsIsNamed() throws IOException {
    String first = drawn("1.json", "workloads", "[]", 3, 3, 2);
    assertThat(notes(first, drawn("2.json", "workloads", "[]", 3, 3, 2))).isEqualTo("[]");
    assertThat(notes(first, drawn("3.json", "workloads", "[]", 1, 1, 2)))
        .contains("another number of seeds in ", "3.json: 1, not 3, of policy0 X1, policy1 X1\"]");
    assertThat(notes(first, drawn("4.json", "workloads", "[]", 3))).isEqualTo("[]");
  }

  @Test
  void theTableShowsWhatOnlyOneFileHas() throws IOException {
    String one = result("one.json", "charon", 10, 0.5, 0.5);
    String other = result("other.json", "threshold", 7, 0.9);
    assertThat(run("compare", one, other)).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("[1] ", "[2] ", "difference", "note: ")
        .containsPattern("charon +X1 +completionRate +0.500 ±0.000 +- +- +-")
        .containsPattern("threshold +X1 +kills +- +4.000 +- +-")
        .contains("other.json is partial");
  }

  @Test
  void filesOfAnotherFormatAreRefused() throws IOException {
    String good = result("good.json", "charon", 10, 0.5);
    Path demo = Files.writeString(directory.resolve("demo.json"), "{\"modes\":[]}");
    assertThat(run("compare", good, demo.toString())).isEqualTo(1);
    Path old =
        Files.writeString(
            directory.resolve("old.json"),
            "{\"runs\":[%s]}".formatted(RUN.formatted("charon", 1, "\"high\"")));
    assertThat(run("compare", good, old.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("demo.json: has no runs: not a result of charon sls run --json")
        .contains("old.json: runs[0] has no bestEffort.completionRate");
    assertThat(run("compare", good)).isEqualTo(2);
  }
}
