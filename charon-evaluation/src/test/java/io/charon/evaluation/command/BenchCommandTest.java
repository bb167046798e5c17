/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.cli.Charon;
import io.charon.cli.InstallPaths;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class BenchCommandTest {
  private static CommandLine bench() {
    return BenchCommand.commandLine(Path.of("/nonexistent"));
  }

  private static int run(StringWriter err, String... arguments) {
    return Charon.commandLine(
            new InstallPaths(Path.of("/nonexistent"), Path.of("/nonexistent/ua-killer"), false))
        .setErr(new PrintWriter(err))
        .execute(Stream.concat(Stream.of("bench"), Stream.of(arguments)).toArray(String[]::new));
  }

  static Stream<CommandLine> subcommands() {
    return bench().getSubcommands().values().stream();
  }

  @ParameterizedTest
  @MethodSource("subcommands")
  void helpTeaches(CommandLine command) {
    assertThat(command.getUsageMessage(CommandLine.Help.Ansi.OFF))
        .contains("Examples:", "Exit codes:", "  charon bench ")
        .doesNotContain("${");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "false-kills | with fewer than 60 rounds also: each container that thrashed anonymous memory was killed; from 60 rounds on instead: at least 95 % of anonymous thrash ended in time",
        "colocation  | With --at-most, what has begun is a whole repetition of a scenario",
      })
  void helpSaysWhatTheBenchmarkDoes(String benchmark, String text) {
    String help =
        bench().getSubcommands().get(benchmark).getUsageMessage(CommandLine.Help.Ansi.OFF);

    assertThat(help.replaceAll("\\s+", " ")).contains(text);
  }

  @Test
  void everyMeasurementHasAShortFormAndJson() {
    // JMH is shortened by selecting one benchmark.
    assertThat(
            subcommands()
                .filter(
                    command -> !Set.of("kill-delays", "micro").contains(command.getCommandName())))
        .hasSize(12)
        .allSatisfy(
            command ->
                assertThat(command.getUsageMessage()).contains("--quick", "--at-most", "--json"));
  }

  @Test
  void killDelaysSayWhatTheyCannotUse() {
    StringWriter err = new StringWriter();
    int code = run(err, "kill-delays", "--out", "/nonexistent/out", "/nonexistent/killer.json");
    assertThat(code).isEqualTo(1);
    assertThat(err.toString())
        .contains("charon bench kill-delays: /nonexistent/killer.json: no such file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                    | killer, overhead, false-kills, kill-delays, thrash-model, colocation, burst, interference, reclaim, launch, stop, cluster, sls or micro",
        "killer --kills 0                      | --kills must be 1 to 1000",
        "killer --sizes 50,5000                | --sizes must be 20 to 1000, was 5000",
        "killer --cgth-ms 100                  | --cgth-ms must be 200 to 10000",
        "killer --oom-wait-seconds 101         | --oom-wait-seconds must be 1 to 100",
        "killer --variants in-kernel,poll      | no variant 'poll'",
        "overhead --repetitions 1              | --repetitions must be 2 to 1000",
        "false-kills --rounds 0                | --rounds must be 1 to 10000",
        "false-kills --seed x                  | 'x' is not a long",
        "false-kills --episode-seconds 5       | --episode-seconds must be 6 to 600, was 5",
        "false-kills --file-refaults all       | --file-refaults all is not one of [any, recent, workingset, fitting]",
        "thrash-model --repetitions 0          | --repetitions must be 1 to 1000",
        "colocation --scenario disk            | no scenario 'disk'",
        "colocation --modes static-quota-0     | no mode 'static-quota-0'",
        "colocation --modes suppress-101       | no mode 'suppress-101'",
        "colocation --seconds 2                | --seconds must be 3 to 3600, was 2",
        "colocation --window 4                 | --window must be 5 to 3600, was 4",
        "colocation --repetitions 0            | --repetitions must be 1 to 100",
        "burst --seconds 0                     | --seconds must be 1 to 3600",
        "burst --repetitions 0                 | --repetitions must be 1 to 1000",
        "interference --pairs mapped:grower:cold | --pairs: no 'mapped:grower:cold'",
        "interference --modes wall             | --modes: no 'wall'",
        "interference --episodes 0             | --episodes must be 1 to 100",
        "interference --episode-seconds 1      | --episode-seconds must be 2 to 600, was 1",
        "reclaim --seconds 14                  | --seconds must be 15 to 3600, was 14",
        "reclaim --load swap                   | --load: unknown 'swap'",
        "launch --launches 0                   | --launches must be 1 to 100000, was 0",
        "launch --executor docker              | --executor: no 'docker'",
        "launch --containers both              | --containers: no 'both'",
        "cluster --production web              | --production: no 'web'",
        "cluster --modes alone                 | --modes: no 'alone'",
        "cluster --load 0                      | --load must be 1 to 10",
        "cluster --placement random            | --placement: no 'random'",
        "cluster --seconds 9                   | --seconds must be 10 to 3600, was 9",
        "killer --at-most 0                    | --at-most must be 1 to 86400, was 0",
        "stop --repetitions 0                  | --repetitions must be 1 to 1000, was 0",
        "cluster --repetitions 0               | --repetitions must be 1 to 100",
        "kill-delays killer.json               | Missing required option: '--out=FILE'",
        "kill-delays --out x                   | Missing required parameter: 'RESULT'",
      })
  void refusesWrongUsage(String arguments, String message) {
    StringWriter err = new StringWriter();
    int code = run(err, arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));
    assertThat(code).as(err.toString()).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void withoutAContainerExecutorItSaysWhatToName() {
    StringWriter err = new StringWriter();
    int code = run(err, "launch", "--quick");
    assertThat(code).isEqualTo(1);
    assertThat(err.toString())
        .contains(
            "charon bench launch: /nonexistent/", "container-executor is not an executable program")
        .contains("--container-executor", "--executor default");
  }

  @Test
  void withoutProgramsItSaysHowToBuildThem() {
    StringWriter err = new StringWriter();
    int code = run(err, "overhead", "--quick");
    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).contains("charon bench overhead: ", "install-packages.sh");
  }
}
