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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeTestsTest {
  private static final String INSTALL = "kernel-ua-killer/install-packages.sh";
  private static final String BUILD = "make -s -C kernel-ua-killer/src/main/native";
  private static final String RUN =
      "timeout --foreground --kill-after=60 600 kernel-ua-killer/src/test/native/run-tests.sh";

  private static final String RUN_GUESTS =
      "timeout --foreground --kill-after=60 2100 kernel-ua-killer/src/test/native/guest/run-guests.sh";

  @TempDir private Path root;
  private final StringWriter out = new StringWriter();
  private final List<String> commands = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private String failing = "";
  private ScriptRunner.Outcome outcome =
      new ScriptRunner.Outcome(0, List.of("PASS one", "7 passed, 0 failed, 2 skipped"));
  private boolean superuser = true;

  @BeforeEach
  void debianWithKernelTypes() throws IOException {
    Files.createFile(root.resolve("vmlinux"));
    Files.createFile(root.resolve("apt-get")).toFile().setExecutable(true);
  }

  @Test
  void installsBuildsRunsAndAddsTheScriptsSum() throws Exception {
    assertThat(run(false)).isEqualTo(new TestTotals(15, 0, 4));
    assertThat(commands)
        .containsExactly(
            INSTALL,
            BUILD,
            INSTALL + " --guests",
            INSTALL + " --colocation",
            INSTALL + " --cluster",
            INSTALL + " --monitoring",
            INSTALL + " --docker",
            RUN,
            RUN_GUESTS);
  }

  @Test
  void missingPackagesOfTheGuestsAreTheGuestsToReport() throws Exception {
    failing = INSTALL + " --guests";
    assertThat(run(false)).isEqualTo(new TestTotals(15, 0, 4));
  }

  @Test
  void buildOnlyRunsNoScript() throws Exception {
    assertThat(run(true)).isEqualTo(new TestTotals(1, 0, 0));
    assertThat(commands).containsExactly(INSTALL, BUILD);
  }

  @Test
  void failedTestsAreCountedOnce() throws Exception {
    outcome =
        new ScriptRunner.Outcome(
            1, List.of("failed: nested-kill: 7 alive", "5 passed, 2 failed, 0 skipped"));
    assertThat(run(false)).isEqualTo(new TestTotals(11, 4, 0));
    assertThat(failures)
        .containsExactly(
            "kernel UA killer on this kernel: nested-kill: 7 alive",
            "kernel UA killer on other kernels, in emulated guests: nested-kill: 7 alive");
  }

  @Test
  void scriptThatIsEndedByItsLimitFails() throws Exception {
    outcome = new ScriptRunner.Outcome(124, List.of("PASS some-test"));
    assertThat(run(false)).isEqualTo(new TestTotals(1, 2, 0));
    assertThat(failures).contains("kernel UA killer on this kernel: ended with exit code 124");
  }

  @Test
  void scriptThatRunsNothingFails() throws Exception {
    outcome = new ScriptRunner.Outcome(0, List.of());
    assertThat(run(false)).isEqualTo(new TestTotals(1, 2, 0));
    assertThat(failures).contains("kernel UA killer on this kernel: ran no test");
  }

  @Test
  void failedBuildIsTheOnlyFailure() throws Exception {
    failing = BUILD;
    assertThat(run(false)).isEqualTo(new TestTotals(0, 1, 0));
    assertThat(commands).doesNotContain(RUN);
    assertThat(failures).containsExactly("the kernel UA killer does not build");
  }

  @Test
  void withoutRootEverythingIsSkipped() throws Exception {
    superuser = false;
    assertThat(run(false)).isEqualTo(new TestTotals(0, 0, 1));
    assertThat(commands).isEmpty();
    assertThat(out.toString()).contains("skipped: only root may load BPF programs");
  }

  @Test
  void kernelWithoutTypesIsSkipped() throws Exception {
    Files.delete(root.resolve("vmlinux"));
    assertThat(run(true)).isEqualTo(new TestTotals(0, 0, 1));
    assertThat(out.toString()).contains("the kernel has no BTF");
  }

  @Test
  void otherSystemThanDebianIsSkipped() throws Exception {
    Files.delete(root.resolve("apt-get"));
    assertThat(run(false)).isEqualTo(new TestTotals(0, 0, 1));
    assertThat(out.toString()).contains("no apt-get");
  }

  @Test
  void packagesThatCannotBeInstalledAreTheReason() throws Exception {
    failing = INSTALL;
    assertThat(run(false)).isEqualTo(new TestTotals(0, 0, 1));
    assertThat(commands).containsExactly(INSTALL);
    assertThat(out.toString()).contains("apt-get could not install its packages");
  }

  private TestTotals run(boolean buildOnly) throws IOException, InterruptedException {
    CommandRunner runner =
        (directory, command) -> {
          commands.add(String.join(" ", command));
          return String.join(" ", command).equals(failing) ? 1 : 0;
        };
    ScriptRunner scripts =
        (directory, command) -> {
          commands.add(String.join(" ", command));
          return outcome;
        };
    NativeTests tests =
        new NativeTests(
            root,
            runner,
            scripts,
            new ProgramFinder(List.of(root)),
            superuser,
            root.resolve("vmlinux"));
    NativeTests.Results results = tests.run(new PrintWriter(out), buildOnly);
    failures.addAll(results.failures());
    return results.totals();
  }
}
