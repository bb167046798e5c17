/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.charon.cli.Charon;
import io.charon.cli.InstallPaths;
import io.charon.evaluation.machine.EndedProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchLeftoversTest {
  private static final Path RUN = Path.of("/run");

  @TempDir private Path root;
  private Path attached;

  @BeforeEach
  void aKilledBenchmarkLeftAKillerThatDoesNotGo() throws Exception {
    boolean able = Files.isWritable(RUN);
    if (!able) {
      System.out.println("SKIPPED BenchLeftoversTest: needs root, a killer's pins are in /run");
    }
    assumeTrue(able, "needs root");
    attached = Files.createDirectory(RUN.resolve("charon-bench-" + EndedProcess.id()));
    Files.createDirectory(attached.resolve("charon"));
    Path tools = Files.createDirectories(root.resolve("kernel-ua-killer/target/native"));
    for (String tool : new String[] {"ua-killer", "workload", "kill-observer"}) {
      Path program = tools.resolve(tool);
      Files.writeString(program, "#!/bin/sh\necho \"$3 $2 refused\"\nexit 1\n");
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @AfterEach
  void remove() throws IOException {
    if (attached != null) {
      Files.delete(attached.resolve("charon"));
      Files.delete(attached);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "overhead",
        "killer",
        "false-kills",
        "thrash-model",
        "colocation",
        "reclaim",
      })
  void nothingIsMeasuredWhileTheKillerOfAKilledBenchmarkIsAttached(String benchmark) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int code =
        Charon.commandLine(new InstallPaths(root, root.resolve("ua-killer"), false))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute("bench", benchmark, "--quick");

    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).contains("unload " + attached + " refused");
    assertThat(out.toString()).isEmpty();
  }
}
