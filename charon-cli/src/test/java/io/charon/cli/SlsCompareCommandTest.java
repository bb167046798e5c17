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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
    CommandLine command = SlsCommand.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(arguments);
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
