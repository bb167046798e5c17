/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchSlsCommandTest {
  /** The smallest size takes longer than the budget, so the simulator of Hadoop is left out. */
  @Test
  void aSizeIsSimulatedTwiceWithTheSameEvents(@TempDir Path directory) throws Exception {
    Path json = directory.resolve("sls.json");
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said, true);

    int code =
        BenchCommand.commandLine(Path.of("/nonexistent"))
            .setOut(writer)
            .setErr(writer)
            .execute("sls", "--quick", "--at-most", "1", "--json", json.toString());

    assertThat(code).as(said.toString()).isZero();
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    JsonNode first = result.path("sizes").path(0);
    assertThat(first.path("nodes").asInt()).isEqualTo(100);
    assertThat(first.path("jobs").asInt()).isPositive();
    assertThat(first.path("virtualSeconds").asDouble()).isPositive();
    assertThat(first.path("runsAgree").asBoolean()).isTrue();
    assertThat(result.path("stockSls").path("measured").asBoolean(true)).isFalse();
    assertThat(result.path("stockSls").path("remarks").toString()).contains("time limit");
  }
}
