/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import io.charon.cli.CommandRunner;
import io.charon.doctor.ProgramFinder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Builds the kernel UA killer and runs its tests on the real kernel. The build counts as one test,
 * passed, failed or, where nothing of this can run, skipped.
 */
final class NativeTests {
  /** What the build reads the kernel's types from. */
  static final Path KERNEL_TYPES = Path.of("/sys/kernel/btf/vmlinux");

  private static final String MODULE = "kernel-ua-killer";
  private static final String INSTALL = MODULE + "/install-packages.sh";
  private static final Duration CLEANING_UP = Duration.ofMinutes(1);

  /**
   * A script that runs tests.
   *
   * @param name what the user calls it
   * @param path the script, below the repository
   * @param limit when to end it
   */
  private record Suite(String name, String path, Duration limit) {
    List<String> command() {
      return List.of(
          "timeout",
          "--foreground", // so that an interrupt from the terminal reaches the script
          "--kill-after=" + CLEANING_UP.toSeconds(),
          Long.toString(limit.toSeconds()),
          path);
    }
  }

  /** How a script names, at its end, each test that failed. */
  private static final String FAILED = "failed: ";

  /**
   * How they ended.
   *
   * @param totals the sum
   * @param failures what failed, as far as it has a name
   */
  record Results(TestTotals totals, List<String> failures) {
    Results {
      failures = List.copyOf(failures);
    }

    static Results failed(String what) {
      return new Results(new TestTotals(0, 1, 0), List.of(what));
    }

    Results plus(Results other) {
      return new Results(
          totals.plus(other.totals),
          Stream.concat(failures.stream(), other.failures.stream()).toList());
    }
  }

  private static final List<Suite> SUITES =
      List.of(
          new Suite(
              "kernel UA killer on this kernel",
              MODULE + "/src/test/native/run-tests.sh",
              Duration.ofMinutes(10)),
          new Suite(
              "kernel UA killer on other kernels, in emulated guests",
              MODULE + "/src/test/native/guest/run-guests.sh",
              Duration.ofMinutes(35)));

  private final Path root;
  private final CommandRunner commands;
  private final ScriptRunner scripts;
  private final ProgramFinder programs;
  private final boolean superuser;
  private final Path kernelTypes;

  /**
   * Creates the tests.
   *
   * @param root the repository
   * @param commands installs packages and builds
   * @param scripts runs the test scripts
   * @param programs finds programs
   * @param superuser whether packages may be installed and BPF programs loaded
   * @param kernelTypes where the kernel shows its types, if it does
   */
  NativeTests(
      Path root,
      CommandRunner commands,
      ScriptRunner scripts,
      ProgramFinder programs,
      boolean superuser,
      Path kernelTypes) {
    this.root = root;
    this.commands = commands;
    this.scripts = scripts;
    this.programs = programs;
    this.superuser = superuser;
    this.kernelTypes = kernelTypes;
  }

  /**
   * Builds, and runs the scripts.
   *
   * @param out where to say what is done
   * @param buildOnly leaves out the scripts, which put cgroups under memory pressure
   * @return how they ended
   * @throws IOException if a program cannot be started
   * @throws InterruptedException if interrupted while a program runs
   */
  Results run(PrintWriter out, boolean buildOnly) throws IOException, InterruptedException {
    Optional<String> obstacle = obstacle();
    if (obstacle.isPresent()) {
      say(out, "kernel UA killer skipped: " + obstacle.get());
      return new Results(new TestTotals(0, 0, 1), List.of());
    }
    if (commands.run(root, List.of("make", "-s", "-C", MODULE + "/src/main/native")) != 0) {
      return Results.failed("the kernel UA killer does not build");
    }
    Results results = new Results(new TestTotals(1, 0, 0), List.of());
    if (buildOnly) {
      return results;
    }
    // Without these the guests' script, or tests of bench colocation, bench cluster, the
    // dashboard, the web page and the images say what is missing and skip.
    for (String packages :
        List.of("--guests", "--colocation", "--cluster", "--monitoring", "--docker")) {
      int unused = commands.run(root, List.of(INSTALL, packages));
    }
    for (Suite suite : SUITES) {
      say(out, suite.name());
      results = results.plus(run(suite));
    }
    return results;
  }

  private Optional<String> obstacle() throws IOException, InterruptedException {
    if (!superuser) {
      return Optional.of("only root may load BPF programs");
    }
    if (!Files.isReadable(kernelTypes)) {
      return Optional.of("the kernel has no BTF (" + kernelTypes + ")");
    }
    if (programs.find("apt-get").isEmpty()) {
      return Optional.of("no apt-get: its packages are known for Debian only");
    }
    if (commands.run(root, List.of(INSTALL)) != 0) {
      return Optional.of("apt-get could not install its packages");
    }
    return Optional.empty();
  }

  private Results run(Suite suite) throws IOException, InterruptedException {
    ScriptRunner.Outcome outcome = scripts.run(root, suite.command());
    TestTotals totals = TestTotals.parse(outcome.lastLine()).orElse(TestTotals.NONE);
    List<String> named =
        outcome.lines().stream()
            .filter(line -> line.startsWith(FAILED))
            .map(line -> suite.name() + ": " + line.substring(FAILED.length()))
            .toList();
    Results results = new Results(totals, named);
    if (outcome.exitCode() != 0 && totals.failed() == 0) {
      return results.plus(
          Results.failed(suite.name() + ": ended with exit code " + outcome.exitCode()));
    }
    return totals.equals(TestTotals.NONE)
        ? Results.failed(suite.name() + ": ran no test")
        : results;
  }

  /** Flushes, because the programs that run next write to the same terminal. */
  private static void say(PrintWriter out, String line) {
    out.println("charon: " + line);
    out.flush();
  }
}
