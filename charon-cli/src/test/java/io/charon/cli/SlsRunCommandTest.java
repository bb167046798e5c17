/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SlsRunCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  @BeforeEach
  void skipWhereSimulationsAreRefused() {
    boolean supported = VersionInfo.getVersion().startsWith(SlsRunCommand.SUPPORTED_HADOOP);
    if (!supported) {
      System.out.println("SKIPPED SlsRunCommandTest: simulations need Hadoop 3.4 as yet");
    }
    assumeTrue(supported, "simulations need Hadoop 3.4 as yet");
  }

  private int run(String... arguments) {
    CommandLine command = SlsCommand.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }

  @Test
  void theEmbeddedWorkloadRunsAndItsResultIsWritten() throws Exception {
    Path json = directory.resolve("results/result.json");
    int exit =
        run(
            "run",
            "--policy",
            "charon,mercury",
            "--nodes",
            "3",
            "--hours",
            "0.2",
            "--seeds",
            "2",
            "--load",
            "1,2",
            "--json",
            json.toString(),
            "--out",
            directory.resolve("csv").toString());
    assertThat(exit).as(err.toString()).isZero();
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.get("runs")).hasSize(8);
    assertThat(result.get("virtualPerWallSecond").asDouble()).isPositive();
    assertThat(out.toString()).contains("charon", "mercury", "X2", "virtual seconds in");
    assertThat(Files.readAllLines(directory.resolve("csv/runs.csv"))).hasSize(1 + 8 * 2);
    assertThat(Files.readAllLines(directory.resolve("csv/completion-times.csv")))
        .hasSizeGreaterThan(8);
  }

  @Test
  void wrongUsageNamesWhatIsWrong() {
    assertThat(run("run", "--policy", "charon,nonsense")).isEqualTo(2);
    assertThat(err.toString()).contains("no policy nonsense", "charon-no-snapshot");
    assertThat(run("run", "--load", "0")).isEqualTo(2);
    assertThat(run("run", "--kill-delays", "guessed")).isEqualTo(2);
    assertThat(err.toString()).contains("--load must be 1 to 100", "must be measured or paper");
  }

  @Test
  void aWorkloadThatIsNoneEndsWithItsName() {
    assertThat(run("run", "--workload", directory.resolve("missing").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("charon sls run:", "missing");
  }
}
