/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.cli.CommandRunner;
import io.charon.doctor.ProgramFinder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TestCommandTest {
  private static final String UNIT = "module/target/hadoop-3.4.2/surefire-reports/TEST-A.xml";
  private static final String INTEGRATION = "other/target/hadoop-3.5.0/failsafe-reports/TEST-B.xml";

  private static final String MAVEN =
      "mvn -B -ntp --fail-at-end -Dsurefire.rerunFailingTestsCount=1 "
          + "-Dfailsafe.rerunFailingTestsCount=1 ";

  @TempDir private Path root;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<String> commands = new ArrayList<>();
  private int mavenExitCode;
  private int commandExitCode = 100;
  private Runnable maven = () -> {};

  @BeforeEach
  void repository() {
    write("pom.xml", "<project/>");
    maven = () -> write(UNIT, suite(5, 0, 0, 1));
  }

  @Test
  void runsBothHadoopLinesAndSumsUpTheirReports() {
    maven =
        () -> {
          write(UNIT, suite(5, 0, 0, 1));
          write(INTEGRATION, suite(2, 0, 0, 0));
        };
    assertThat(run()).isZero();
    assertThat(commands)
        .containsExactly(MAVEN + "verify", MAVEN + "-Phadoop-3.5 -Dit.test=DropIn* verify");
    assertThat(out.toString()).endsWith("6 passed, 0 failed, 2 skipped" + System.lineSeparator());
  }

  @Test
  void fastLeavesOutIntegrationTests() {
    assertThat(run("--fast", "--hadoop", "3.5")).isZero();
    assertThat(commands).containsExactly(MAVEN + "-Phadoop-3.5 -DskipITs verify");
  }

  @Test
  void failuresAndErrorsFail() {
    maven = () -> write(UNIT, suite(5, 1, 2, 0));
    assertThat(run()).isEqualTo(1);
    assertThat(out.toString())
        .contains("failed: io.charon.SuiteTest.failure0", "failed: io.charon.SuiteTest.error1")
        .endsWith("2 passed, 3 failed, 1 skipped" + System.lineSeparator());
  }

  @Test
  void aTestThatPassesAtTheSecondAttemptIsNamed() {
    maven =
        () ->
            write(
                UNIT,
                "<testsuite tests='1'><testcase classname='A' name='noisy'>"
                    + "<flakyFailure><stackTrace/></flakyFailure></testcase>"
                    + "<testcase classname='A' name='broken'>"
                    + "<failure/><rerunFailure/></testcase></testsuite>");
    assertThat(run("--hadoop", "3.4")).isEqualTo(1);
    assertThat(out.toString())
        .contains("charon: passed at the second attempt only: A.noisy", "charon: failed: A.broken")
        .endsWith("1 passed, 1 failed, 1 skipped" + System.lineSeparator());
  }

  @Test
  void mavenThatFailsWithoutAFailedTestFailsToo() {
    mavenExitCode = 1;
    assertThat(run("--hadoop", "3.4")).isEqualTo(1);
    assertThat(out.toString())
        .contains("Maven failed on Hadoop 3.4 with exit code 1")
        .endsWith("4 passed, 0 failed, 2 skipped" + System.lineSeparator());
  }

  @Test
  void reportsOfEarlierRunsDoNotCount() {
    write(INTEGRATION, suite(7, 7, 0, 0));
    assertThat(run()).isZero();
    assertThat(out.toString()).contains("4 passed, 0 failed, 2 skipped");
  }

  @Test
  void nothingRunIsNotSuccess() {
    maven = () -> {};
    assertThat(run()).isEqualTo(1);
    assertThat(out.toString()).contains("no test ran", "0 passed, 0 failed, 1 skipped");
  }

  @Test
  void brokenReportIsNamed() {
    maven = () -> write(UNIT, "<testsuite tests=");
    assertThat(run()).isEqualTo(1);
    assertThat(err.toString()).contains("TEST-A.xml cannot be read");
  }

  @Test
  void unknownHadoopIsWrongUsage() {
    assertThat(run("--hadoop", "2.7")).isEqualTo(2);
    assertThat(err.toString()).contains("--hadoop 2.7 is none of 3.4, 3.5, all");
    assertThat(commands).isEmpty();
  }

  @Test
  void otherDirectoryThanTheRepositoryIsRefused() throws IOException {
    Files.delete(root.resolve("pom.xml"));
    assertThat(run()).isEqualTo(1);
    assertThat(err.toString()).contains("no pom.xml in " + root);
  }

  @Test
  void shellScriptsAreSkippedWithoutShellcheck() {
    writeScripts();
    assertThat(run("--hadoop", "3.4")).isZero();
    assertThat(out.toString())
        .contains("shell scripts skipped: no shellcheck on PATH, and only root may install it")
        .contains("4 passed, 0 failed, 5 skipped");
  }

  @Test
  void everyShellScriptCountsAsATest() {
    writeScripts();
    shellcheck();
    assertThat(run("--hadoop", "3.4")).isEqualTo(1);
    assertThat(commands)
        .containsSubsequence(
            "shellcheck --external-sources bin/charon",
            "shellcheck --external-sources .ci/run",
            "shellcheck --external-sources module/src/main/native/x.sh");
    assertThat(out.toString())
        .contains("3 scripts, 1 with findings", "6 passed, 1 failed, 2 skipped");
  }

  @Test
  void superuserInstallsShellcheck() {
    write("usr/apt-get", "").toFile().setExecutable(true);
    writeScripts();
    assertThat(execute(true, "--hadoop", "3.4")).isZero();
    assertThat(commands).contains("apt-get -qq install -y --no-install-recommends shellcheck");
    assertThat(out.toString()).contains("apt-get could not install it");
  }

  @Test
  void testsTheKernelUaKillerBeforeMaven() {
    write("usr/apt-get", "").toFile().setExecutable(true);
    write("vmlinux", "");
    commandExitCode = 0;
    assertThat(execute(true, "--hadoop", "3.4")).isEqualTo(1);
    assertThat(commands)
        .containsSubsequence(
            "kernel-ua-killer/install-packages.sh",
            "make -s -C kernel-ua-killer/src/main/native",
            "kernel-ua-killer/src/test/native/run-tests.sh",
            "kernel-ua-killer/src/test/native/guest/run-guests.sh",
            MAVEN + "verify");
    assertThat(out.toString()).contains("25 passed, 2 failed, 5 skipped");
  }

  @Test
  void fastOnlyBuildsTheKernelUaKiller() {
    write("usr/apt-get", "").toFile().setExecutable(true);
    write("vmlinux", "");
    commandExitCode = 0;
    assertThat(execute(true, "--fast", "--hadoop", "3.4")).isZero();
    assertThat(commands)
        .contains("make -s -C kernel-ua-killer/src/main/native")
        .doesNotContain("kernel-ua-killer/src/test/native/run-tests.sh");
    assertThat(out.toString()).contains("5 passed, 0 failed, 1 skipped");
  }

  private void writeScripts() {
    write("bin/charon", "#!/usr/bin/env bash\n");
    write("bin/notes.txt", "#!/usr/bin/env python3\n");
    write(".ci/run", "#!/bin/sh\n");
    write("module/src/main/native/x.sh", "#!/bin/bash -e\n");
    write("module/src/main/native/x.c", "int bash;\n");
  }

  private void shellcheck() {
    write("usr/shellcheck", "").toFile().setExecutable(true);
  }

  private int run(String... args) {
    return execute(false, args);
  }

  private int execute(boolean superuser, String... args) {
    CommandRunner runner =
        (directory, command) -> {
          commands.add(String.join(" ", command));
          switch (command.get(0)) {
            case "mvn" -> maven.run();
            case "shellcheck" -> {
              return command.get(2).equals(".ci/run") ? 1 : 0;
            }
            default -> {
              return commandExitCode;
            }
          }
          return mavenExitCode;
        };
    ScriptRunner scriptRunner =
        (directory, command) -> {
          commands.add(command.get(command.size() - 1));
          return new ScriptRunner.Outcome(
              1, List.of("failed: socket", "10 passed, 1 failed, 2 skipped"));
        };
    ProgramFinder programs = new ProgramFinder(List.of(root.resolve("usr")));
    NativeTests nativeTests =
        new NativeTests(root, runner, scriptRunner, programs, superuser, root.resolve("vmlinux"));
    ShellScripts scripts = new ShellScripts(root, runner, programs, superuser);
    return new CommandLine(new TestCommand(root, runner, nativeTests, scripts))
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }

  private Path write(String path, String content) {
    try {
      Path file = root.resolve(path);
      Files.createDirectories(file.getParent());
      return Files.writeString(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String suite(int tests, int failures, int errors, int skipped) {
    String passed = cases(tests - failures - errors - skipped, "pass", "");
    return "<testsuite>%s%s%s%s</testsuite>"
        .formatted(
            passed,
            cases(failures, "failure", "<failure/>"),
            cases(errors, "error", "<error/>"),
            cases(skipped, "skip", "<skipped/>"));
  }

  private static String cases(int count, String name, String outcome) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                "<testcase classname='io.charon.SuiteTest' name='%s%d'>%s</testcase>"
                    .formatted(name, i, outcome))
        .collect(Collectors.joining());
  }
}
