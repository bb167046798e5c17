/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import io.charon.cli.CommandRunner;
import io.charon.dist.TestOutcomes.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs every test of the repository; continuous integration calls it too. */
@Command(
    name = "test",
    header = "Runs every test, against both Hadoop lines.",
    description = {
      "%nBuilds the kernel UA killer and runs its tests on this kernel (as root on Debian; missing packages are "
          + "installed; memory pressure stays in cgroups made for it). Then Maven's verify: unit, property and "
          + "architecture tests, and integration tests that start real YARN daemons; on Hadoop 3.5, those of the "
          + "drop-in only. A test that fails runs again; if it passes then, it counts as passed, and its output "
          + "says so. What never passed is named at the end, and JUnit's tests that passed at the second attempt. "
          + "Then ShellCheck on the shell scripts (as root on Debian it is installed if missing). "
          + "The last line is the sum: 'N passed, N failed, N skipped'.%n"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything passed",
      "1:a test failed, Maven failed, or nothing ran",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  charon test                 everything, as in continuous integration",
      "  charon test --fast          without memory pressure and YARN daemons",
      "  charon test --hadoop 3.5    one Hadoop line only",
    })
final class TestCommand implements Callable<Integer> {
  /** Integration tests of the plug-ins in stock daemons: they must hold on every Hadoop line. */
  private static final String DROP_IN_TESTS = "DropIn*";

  /**
   * Tests with real daemons and a real kernel depend on what else a machine does. One that fails
   * runs again, and is named if it passes then.
   */
  private static final List<String> SECOND_ATTEMPT =
      List.of("-Dsurefire.rerunFailingTestsCount=1", "-Dfailsafe.rerunFailingTestsCount=1");

  private static final String FAILED = "failed: ";
  private static final String ALL = "all";
  private static final List<String> HADOOP_LINES = List.of("3.4", "3.5");

  private final Path root;
  private final CommandRunner runner;
  private final NativeTests nativeTests;
  private final ShellScripts scripts;

  @Spec private CommandSpec spec;

  @Option(
      names = "--hadoop",
      paramLabel = "LINE",
      defaultValue = ALL,
      description = "3.4, 3.5 or all (default: ${DEFAULT-VALUE}).")
  private String hadoop;

  @Option(
      names = "--fast",
      description =
          "Leave out the integration tests, which start YARN, and the tests under memory pressure.")
  private boolean fast;

  /**
   * Creates the command.
   *
   * @param root the repository
   * @param runner runs Maven
   * @param nativeTests tests the kernel UA killer
   * @param scripts checks the shell scripts
   */
  TestCommand(Path root, CommandRunner runner, NativeTests nativeTests, ShellScripts scripts) {
    this.root = root;
    this.runner = runner;
    this.nativeTests = nativeTests;
    this.scripts = scripts;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> lines = chosenLines();
    PrintWriter out = spec.commandLine().getOut();
    if (!Files.isRegularFile(root.resolve("pom.xml"))) {
      throw new IOException(
          "no pom.xml in " + root + ": run bin/charon of a clone of the repository");
    }
    TestReports reports = new TestReports(root);
    reports.clear();
    NativeTests.Results kernel = nativeTests.run(out, fast); // first: a test in Java uses the tool
    List<String> failedLines = new ArrayList<>();
    for (String line : lines) {
      List<String> maven = maven(line);
      say(out, "charon: " + String.join(" ", maven));
      int exitCode = runner.run(root, maven);
      if (exitCode != 0) {
        failedLines.add("Maven failed on Hadoop " + line + " with exit code " + exitCode);
      }
    }
    TestOutcomes outcomes = reports.read();
    TestTotals ran = outcomes.totals();
    TestTotals totals = ran.plus(kernel.totals()).plus(scripts.check(out));
    failedLines.forEach(failure -> out.println("charon: " + failure));
    list(out, FAILED, kernel.failures());
    list(out, FAILED, outcomes.names(Outcome.FAILED));
    list(
        out,
        "passed at the second attempt only: ",
        outcomes.names(Outcome.PASSED_AT_SECOND_ATTEMPT));
    boolean nothingRan = ran.passed() + ran.failed() == 0;
    if (nothingRan) {
      out.println("charon: no test ran");
    }
    say(out, totals.toString());
    return failedLines.isEmpty() && totals.failed() == 0 && !nothingRan ? 0 : 1;
  }

  private List<String> chosenLines() {
    if (hadoop.equals(ALL)) {
      return HADOOP_LINES;
    }
    if (!HADOOP_LINES.contains(hadoop)) {
      throw new ParameterException(
          spec.commandLine(),
          "--hadoop " + hadoop + " is none of " + String.join(", ", HADOOP_LINES) + ", " + ALL);
    }
    return List.of(hadoop);
  }

  private List<String> maven(String line) {
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "--fail-at-end"));
    command.addAll(SECOND_ATTEMPT);
    boolean defaultLine = line.equals(HADOOP_LINES.get(0));
    if (!defaultLine) {
      command.add("-Phadoop-" + line);
    }
    if (fast) {
      command.add("-DskipITs");
    } else if (!defaultLine) {
      command.add("-Dit.test=" + DROP_IN_TESTS);
    }
    command.add("verify");
    return command;
  }

  private static void list(PrintWriter out, String what, List<String> tests) {
    tests.forEach(test -> out.println("charon: " + what + test));
  }

  /** Flushes, because the programs that run next write to the same terminal. */
  private static void say(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
