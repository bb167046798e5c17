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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SlsWorkloadCommandsTest {
  private static final String TASK =
      "{\"container.start.ms\": 0, \"container.end.ms\": %d, \"container.memory\": 1000,"
          + " \"container.musage\": {\"times\": [500, 1000], \"mems\": [100, 900]}}";

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = Charon.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return command.execute(
        Stream.concat(Stream.of("sls"), Arrays.stream(arguments)).toArray(String[]::new));
  }

  private Path trace(long end) throws IOException {
    return Files.writeString(
        directory.resolve("trace.json"),
        "{\"job.id\": \"good\", \"job.start.ms\": 0, \"job.tasks\": [%s]}\n"
                .formatted(TASK.formatted(1000))
            + "{\"job.id\": \"bad\\u001b[2J\", \"job.start.ms\": 0, \"job.tasks\": [%s]}\n"
                .formatted(TASK.formatted(end)));
  }

  private int importTrace(Path trace, String... more) {
    return run(
        Stream.concat(
                Stream.of(
                    "import",
                    "--trace-format",
                    "sls-json",
                    "--input",
                    trace.toString(),
                    "--out",
                    directory.resolve("w.jsonl.gz").toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void importReportsWhatItWroteAndSkipped() throws IOException {
    assertThat(importTrace(trace(0), "--nodes", "3")).isZero();
    assertThat(out.toString())
        .contains("1 production and 0 best-effort jobs, 1 tasks, for 3 nodes")
        .contains("used share of requested memory: 0.500")
        .contains("1 bad rows, the first:")
        .contains("trace.json:2: a container ends at 0");
    assertThat(directory.resolve("w.jsonl.gz")).isNotEmptyFile();
  }

  @Test
  void strictStopsAndWritesNothing() throws IOException {
    assertThat(importTrace(trace(0), "--nodes", "3", "--strict")).isEqualTo(1);
    assertThat(err.toString()).contains("trace.json:2: a container ends at 0");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("trace.json"));
    }
  }

  @Test
  void importSaysWhatIsMissing() throws IOException {
    assertThat(importTrace(directory.resolve("nowhere"), "--nodes", "3")).isEqualTo(1);
    assertThat(err.toString()).contains("nowhere: no such directory");
    assertThat(importTrace(trace(1000))).isEqualTo(1);
    assertThat(err.toString()).contains("give the number of nodes");
  }

  @Test
  void wrongUsageIsNoResult() throws IOException {
    assertThat(importTrace(trace(1000), "--nodes", "0")).isEqualTo(2);
    assertThat(importTrace(trace(1000), "--production-ratio", "1.5")).isEqualTo(2);
    assertThat(importTrace(trace(1000), "--production-jobs", "5")).isEqualTo(2);
    assertThat(importTrace(trace(1000), "--production-jobs", "5", "--best-effort-jobs", "5"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("Drawing jobs needs --nodes");
    assertThat(importTrace(trace(1000), "--begin-hours", "7")).isEqualTo(2);
    assertThat(err.toString()).contains("--begin-hours is for --trace-format google2011");
    assertThat(run("import", "--trace-format", "excel", "--input", "x", "--out", "y")).isEqualTo(2);
    assertThat(err.toString()).contains("google2011-derived");
  }

  @Test
  void everyFormatIsKnownByItsName() {
    for (String format : new String[] {"google2011", "google2011-derived", "sls-json"}) {
      String nowhere = directory.resolve("nowhere").toString();
      assertThat(
              run("import", "--trace-format", format, "--input", nowhere, "--out", nowhere + "/w"))
          .isEqualTo(1);
    }
    assertThat(err.toString()).contains("nowhere/job_events: no such directory");
  }

  @Test
  void generatePrintsItsResultAsJson() throws IOException {
    Path file = directory.resolve("g.jsonl.gz");
    assertThat(
            run(
                "generate",
                "--out",
                file.toString(),
                "--nodes",
                "20",
                "--hours",
                "2",
                "--production-jobs",
                "150",
                "--best-effort-jobs",
                "600",
                "--load",
                "2",
                "--json"))
        .isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.path("header").path("productionJobs").asInt()).isEqualTo(150);
    assertThat(json.path("header").path("bestEffortJobs").asInt()).isEqualTo(1200);
    assertThat(json.path("header").path("usedOverRequested").asDouble()).isBetween(0.47, 0.53);
    assertThat(json.path("rowsPerSecond").asDouble()).isPositive();
    assertThat(file).isNotEmptyFile();
  }

  @Test
  void aRefusedWorkloadExitsWithCodeOne() {
    Path file = directory.resolve("g.jsonl.gz");
    assertThat(run("generate", "--out", file.toString(), "--production-ratio", "0.95"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("the workload is refused: its tasks use 0.");
    assertThat(file).doesNotExist();
  }

  @Test
  void helpTeaches() {
    for (CommandLine command : SlsCommand.commandLine().getSubcommands().values()) {
      assertThat(command.getUsageMessage(CommandLine.Help.Ansi.OFF))
          .contains("Examples:", "Exit codes:", "  charon sls ")
          .doesNotContain("${");
    }
  }
}
