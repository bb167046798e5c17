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
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TuneReclaimedCommandTest {
  private static final int DAY = 288;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path traces;

  /** Writes four days of a cluster, with one bad row, and a single sample of one machine. */
  @BeforeEach
  void writeTraces() throws IOException {
    StringBuilder cluster = new StringBuilder("time_s,cpu_used,mem_used,mem_assigned\n");
    for (int i = 0; i < 4 * DAY; i++) {
      cluster.append(
          "%d,%d,%d,4000%n".formatted(i * 300, i == 17 ? -3 : 2000 + i % 20, 2000 + i % 20));
    }
    write("google2011/derived/cluster_usage_5min_29d.csv.gz", cluster);
    StringBuilder short1 =
        new StringBuilder("machine_id,time_s,cpu_util_percent,mem_util_percent\n");
    short1.append("m\u001b1,0,10,10\n");
    write("alibaba2018/machine_usage_8m.csv.gz", short1);
  }

  private void write(String file, CharSequence text) throws IOException {
    Path path = traces.resolve(file);
    Files.createDirectories(path.getParent());
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(path))) {
      gzip.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  private int run(String... arguments) {
    CommandLine command = Charon.commandLine();
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return command.execute(
        Stream.concat(
                Stream.of("tune", "reclaimed", "--traces", traces.toString()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  @Test
  void theTablesAndTheJsonAgree() throws IOException {
    Path file = traces.resolve("new/reclaimed.json");
    assertThat(run("--json", file.toString(), "--tolerated", "0.1,1")).as(err.toString()).isZero();
    JsonNode tables = new ObjectMapper().readTree(file.toFile()).get("tables");
    assertThat(tables).hasSize(4);
    JsonNode cpu = tables.get(0);
    assertThat(cpu.get("name").asText()).isEqualTo("google2011 cpu");
    assertThat(cpu.get("tuning").asBoolean()).isTrue();
    assertThat(cpu.get("skipped").get(0).get("place").asText()).endsWith("5min_29d.csv.gz:19");
    JsonNode memory = tables.get(1);
    assertThat(memory.get("predictors").fieldNames())
        .toIterable()
        .containsExactly(
            "n-sigma", "percentile", "maximum", "time-of-day, 0.1 %", "time-of-day, 1.0 %");
    double usable = memory.get("predictors").get("maximum").get("usable").asDouble();
    double allocated = memory.get("allocation").get("usable").asDouble();
    assertThat(usable).isGreaterThan(allocated + 0.2);
    assertThat(out.toString())
        .contains("google2011 memory (tuned on): 1 machines", "alibaba2018 cpu (last run): 0")
        .containsPattern(
            "maximum +%.1f %% +\\+%.1f ".formatted(100 * usable, 100 * (usable - allocated)))
        .contains("by allocation", "oracle, next 24 h")
        .contains("no result: 1 series are left")
        .contains("29d.csv.gz:19: field 2 is \"-3\", not a number that is not negative")
        .doesNotContain("\u001b");
    assertThat(tables.get(2).get("note").asText()).contains("none of them makes a machine");
  }

  @Test
  void onlyTheRequestedTablesArePrinted() {
    assertThat(run("--table", "google2011 m")).isZero();
    assertThat(out.toString()).contains("google2011 memory").doesNotContain("google2011 cpu");
    assertThat(run("--table", "nothing")).isEqualTo(2);
    assertThat(err.toString()).contains("no table's name begins with [nothing]", "bitbrains cpu");
  }

  @Test
  void unusableInputExitsWithCodeOneAndWrongUsageWithCodeTwo() {
    assertThat(run("--table", "smd")).isEqualTo(1);
    assertThat(err.toString())
        .contains("charon tune reclaimed: ", "contains none of the known tables");
    assertThat(run("--tolerated", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("--tolerated must be 0.001 to 50.0, was 0.0");
    assertThat(Charon.commandLine().setErr(new PrintWriter(err, true)).execute("tune"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("Missing required option: '--trace FILE [FILE...]'");
  }
}
