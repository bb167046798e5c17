/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SlsBurstCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private int run(String... arguments) {
    CommandLine command = Charon.commandLine();
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    String[] all = new String[arguments.length + 2];
    all[0] = "sls";
    all[1] = "burst";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return command.execute(all);
  }

  @Test
  void everyVariantHasARow() {
    Path json = directory.resolve("burst.json");
    assertThat(run("--load", "45", "--seeds", "2", "--seconds", "5", "--json", json.toString()))
        .as(err.toString())
        .isZero();
    assertThat(out.toString())
        .contains("none", "bucket, 500 ms", "shared pool (AIMD)", "unlimited")
        .contains("2 seeds, 5 s each; the shared pool reclaims quotas above 45 %");
    assertThat(json).isNotEmptyFile();
  }

  @Test
  void wrongUsageExitsWithCodeTwoAndAnUnwritableFileWithCodeOne() throws Exception {
    assertThat(run("--load", "95")).isEqualTo(2);
    assertThat(run("--seconds", "7")).isEqualTo(2);
    assertThat(run("--seeds", "0")).isEqualTo(2);
    assertThat(run("--pool-high", "0")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--load must be 1.0 to 90.0, was 95.0", "--seconds must be a multiple of 5");
    Path file = Files.createFile(directory.resolve("file"));
    assertThat(
            run("--load", "45", "--seeds", "1", "--seconds", "5", "--json", file + "/burst.json"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("charon sls burst: ");
  }
}
