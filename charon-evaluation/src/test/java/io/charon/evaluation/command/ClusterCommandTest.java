/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.playground.ProcessIdentity;
import io.charon.evaluation.playground.ProcessTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class ClusterCommandTest {
  @TempDir private Path directory;
  private final StringWriter said = new StringWriter();

  private static CommandLine cluster() {
    return ClusterCommand.commandLine(Path.of("/nonexistent"));
  }

  static Stream<CommandLine> shown() {
    return cluster().getSubcommands().values().stream()
        .filter(command -> !command.getCommandSpec().usageMessage().hidden());
  }

  private int run(String... words) {
    PrintWriter writer = new PrintWriter(said, true);
    return cluster().setOut(writer).setErr(writer).execute(words);
  }

  @ParameterizedTest
  @MethodSource("shown")
  void helpTeaches(CommandLine command) {
    assertThat(command.getUsageMessage(CommandLine.Help.Ansi.OFF))
        .contains("Examples:", "Exit codes:", "  charon cluster ", "--directory")
        .doesNotContain("${");
  }

  @Test
  void whatHoldsTheClusterIsNotShown() {
    assertThat(cluster().getUsageMessage(CommandLine.Help.Ansi.OFF))
        .contains("start", "stop", "submit", "status")
        .doesNotContain("  run ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing|unknown job 'nothing': choose from production, sort, mapreduce",
        "production --tasks 3|--tasks of production must be 1 to 2, was 3",
        "sort --tasks 0|--tasks of sort must be 1 to 200, was 0",
        "mapreduce --tasks 65|--tasks of mapreduce must be 1 to 64, was 65",
      })
  void wrongJobsAreNamed(String words, String message) {
    assertThat(run(("submit " + words).split(" ", -1))).isEqualTo(2);
    assertThat(said.toString()).contains(message);
  }

  @Test
  void tooSmallNodesAreNamedBeforeAnythingStarts() {
    assertThat(run("start", "--node-memory-mb", "512", "--directory", directory + "/new"))
        .isEqualTo(2);
    assertThat(said.toString()).contains("--node-memory-mb 512 is too small: use at least ");
    assertThat(directory.resolve("new")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--run-as alice|--container-executor and --run-as need --executor linux",
        "--executor docker|--executor: no 'docker'",
        "--executor linux --container-executor /x --run-as a,b,c|--run-as takes one user, or two",
      })
  void executorsThatCannotBeStartedAreNamedBeforeAnythingStarts(String words, String message) {
    assertThat(run(("start --directory " + directory + "/new " + words).split(" ", -1)))
        .isEqualTo(2);
    assertThat(said.toString()).contains(message);
    assertThat(directory.resolve("new")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0| |The cluster already runs",
        "0|--node-memory-mb 2560 --executor default|The cluster already runs",
        "1|--node-memory-mb 4096|(2560 MiB for each node, --executor default): stop it",
        "1|--executor linux --container-executor /x|name another --directory",
      })
  void whatARunningClusterIsNotIsNotTakenForIt(int exitCode, String words, String message)
      throws IOException {
    ProcessIdentity self =
        new ProcessTable(Path.of("/proc")).find(ProcessHandle.current().pid()).orElseThrow();
    Files.writeString(
        directory.resolve("cluster.json"),
        """
        {"supervisor": {"pid": %d, "startTicks": %d}, "since": "2026-01-02T03:04:05Z", "nodeMemoryMb": 2560,
         "workDirectory": "/nonexistent/charon-cluster-1", "remarks": [], "web": "http://127.0.0.1:1", "nodes": []}
        """
            .formatted(self.pid(), self.startTicks()));

    String all = "start --directory " + directory + " " + (words == null ? "" : words);
    assertThat(run(all.strip().split(" ", -1))).isEqualTo(exitCode);
    assertThat(said.toString()).contains(message);
  }

  @Test
  void whereNoClusterRunsEachCommandSaysSo() {
    String place = directory.toString();
    assertThat(run("status", "--directory", place)).isEqualTo(3);
    assertThat(run("status", "--json", "--directory", place)).isEqualTo(3);
    assertThat(run("submit", "sort", "--directory", place)).isEqualTo(1);
    assertThat(run("stop", "--directory", place)).isZero();
    assertThat(said.toString())
        .contains("{\"running\":false}", "No cluster runs in " + place, "bin/charon cluster start");
  }

  @Test
  void aSubcommandIsMissing() {
    assertThat(run()).isEqualTo(2);
    assertThat(said.toString()).contains("start, status, submit or stop");
  }
}
