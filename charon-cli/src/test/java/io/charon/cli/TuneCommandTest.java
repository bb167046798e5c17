/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TuneCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;
  private Path trace;

  /**
   * Writes a sawtooth with a period of 20 samples: its end is a violation unless the headroom
   * covers it.
   */
  @BeforeEach
  void writeTrace() throws IOException {
    List<String> lines = new ArrayList<>(List.of("machine_id,time_s,mem_util_percent"));
    for (int sample = 0; sample < 400; sample++) {
      lines.add("m\u001b1," + 10 * sample + "," + (40 + sample % 20));
    }
    trace = Files.write(directory.resolve("trace.csv"), lines);
  }

  private int run(String... arguments) {
    CommandLine command = Charon.commandLine();
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return command.execute(
        Stream.concat(Stream.of("tune", "--trace", trace.toString()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  @Test
  void theTableAndTheJsonAgree() throws IOException {
    Path file = directory.resolve("new/tune.json");
    Path pictures = directory.resolve("pictures");
    assertThat(
            run(
                "--windows",
                "30,60,200",
                "--std-factors",
                "1,2",
                "--json",
                file.toString(),
                "--out",
                pictures.toString()))
        .as(err.toString())
        .isZero();
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.get("regulator").asText()).isEqualTo("memory");
    assertThat(json.get("grid")).hasSize(4);
    assertThat(json.get("series").asInt()).isEqualTo(1);
    assertThat(json.get("samplesPerWindow").get("60").asDouble()).isEqualTo(6);
    assertThat(json.get("refusedWindows").get(0).get("reason").asText())
        .startsWith("shorter than 5 samples");
    JsonNode best = json.get("recommended");
    assertThat(best.get("maxViolations").asLong()).isLessThanOrEqualTo(30);
    for (JsonNode cell : json.get("grid")) {
      assertThat(cell.has("totalViolations")).isTrue();
      assertThat(out.toString())
          .contains(
              "%d / %.4f"
                  .formatted(
                      cell.get("maxViolations").asLong(),
                      cell.get("backgroundAfforded").asDouble()));
    }
    assertThat(out.toString())
        .contains("memory: 1 series, 400 samples", "window", "c = 2", " *", "30 s refused:")
        .contains(
            "Recommended: window %d s, c %d:"
                .formatted(best.get("windowSeconds").asInt(), best.get("stdFactor").asInt()))
        .contains("The paper's default: window 60 s, c 2:")
        .contains("m\\u{1b}1")
        .doesNotContain("\u001b");
    assertThat(pictures.resolve("tune-violations.png")).isNotEmptyFile();
    assertThat(pictures.resolve("tune-background.png")).isNotEmptyFile();
  }

  @Test
  void itReportsThatNoCellIsWithinTheBudget() throws IOException {
    Path file = directory.resolve("tune.json");
    assertThat(
            run(
                "--windows",
                "60",
                "--std-factors",
                "1",
                "--budget",
                "0",
                "--json",
                file.toString()))
        .isZero();
    assertThat(out.toString()).contains("No cell keeps every series to 0 violations", "--budget");
    assertThat(new ObjectMapper().readTree(file.toFile()).get("recommended")).isEmpty();
  }

  @Test
  void unusableTablesExitWithCodeOne() {
    assertThat(run("--value", "nothing")).isEqualTo(1);
    assertThat(err.toString()).contains("charon tune: ", "trace.csv:1: no column \"nothing\"");
    assertThat(run("--windows", "10")).isEqualTo(1);
    assertThat(err.toString()).contains("no window is left: 10 s refused: shorter than 5 samples");
  }

  @Test
  void wrongUsageExitsWithCodeTwo() {
    assertThat(run("--windows", "0")).isEqualTo(2);
    assertThat(run("--std-factors", "-1")).isEqualTo(2);
    assertThat(run("--budget", "-1")).isEqualTo(2);
    assertThat(run("--min-samples", "1")).isEqualTo(2);
    assertThat(run("--regulator", "disk")).isEqualTo(2);
    assertThat(run("--wide", "--value", "mem")).isEqualTo(2);
    assertThat(run("--wide", "--series", "id")).isEqualTo(2);
    assertThat(run("--interval", "10", "--time", "time_s")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "--windows must be",
            "--std-factors must be",
            "--budget must be",
            "--min-samples must be",
            "memory, network",
            "omit --value",
            "omit --series",
            "omit --time");
  }
}
