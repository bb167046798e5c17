/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.nodemanager.report.recording.Recorded;
import io.charon.nodemanager.report.recording.RecordingWriter;
import io.charon.sls.contention.Interval;
import io.charon.sls.contention.SyntheticService;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentionCommandTest {
  private static final SyntheticService SUFFERS = new SyntheticService(0.1, 1, 0.1, 5, 15);
  private static final SyntheticService FINE = new SyntheticService(0, 1, 0.02, 5, 15);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private int run(String... arguments) {
    return Charon.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(
            Stream.concat(Stream.of("contention"), Stream.of(arguments)).toArray(String[]::new));
  }

  private Path table(String header, String service, SyntheticService truth) throws IOException {
    StringBuilder text = new StringBuilder(header + "\n");
    for (Interval interval : truth.draw(1)) {
      text.append(
          "%s,%s,%s,%s,%s\n"
              .formatted(
                  service,
                  interval.seconds(),
                  interval.value(),
                  interval.load(),
                  interval.bestEffort()));
    }
    return Files.writeString(directory.resolve(service + ".csv"), text);
  }

  @Test
  void eachServiceOfATableGetsItsAnswer() throws IOException {
    Path shop = table("app,time,cpi,load,best_effort", "shop", SUFFERS);
    Path mail = table("app,time,cpi,load,best_effort", "mail", FINE);
    Path json = directory.resolve("verdicts.json");
    assertThat(
            run(
                "--samples",
                shop.toString(),
                mail.toString(),
                "--service",
                "app",
                "--json",
                json.toString()))
        .as(err.toString())
        .isZero();
    assertThat(out.toString())
        .contains(
            "shop: suffers: the value is higher by ",
            "at equal load",
            "mail: fine: the value is higher by less than 5.0 %",
            "2,880");
    JsonNode services = new ObjectMapper().readTree(json.toFile()).path("services");
    assertThat(services.get(0).path("service").asText()).isEqualTo("shop");
    assertThat(services.get(0).path("verdict").asText()).isEqualTo("suffers");
    assertThat(services.get(0).path("effect").path("estimate").asDouble()).isBetween(0.05, 0.15);
    assertThat(services.get(1).path("verdict").asText()).isEqualTo("fine");
  }

  @Test
  void columnsMayHaveAnyName() throws IOException {
    Path file = table("app,when,latency,qps,offline", "shop", SUFFERS);
    assertThat(run("--samples", file.toString(), "--value", "latency", "--time", "when"))
        .as(err.toString())
        .isZero();
    assertThat(out.toString()).contains("all: suffers");
    assertThat(run("--samples", file.toString(), "--value", "latenz", "--time", "when"))
        .isEqualTo(1);
    assertThat(err.toString())
        .contains("shop.csv:1: no column of the value that may suffer (latenz)", "--value");
  }

  @Test
  void badRowsAreLeftOutAndNamed() throws IOException {
    Path file = table("app,time,cpi,load,best_effort", "shop", SUFFERS);
    Files.writeString(
        file, Files.readString(file).replaceFirst("\nshop,30.0,[^,]*", "\nshop,30.0,none"));
    assertThat(run("--samples", file.toString())).isZero();
    assertThat(out.toString()).contains("1 bad rows left out", "shop.csv:3: field 3 is \"none\"");
    assertThat(run("--samples", file.toString(), "--strict")).isEqualTo(1);
    assertThat(err.toString()).contains("shop.csv:3");
  }

  private Path recording(boolean counted) throws IOException {
    Path to = directory.resolve("recording-" + counted);
    try (RecordingWriter writer =
        new RecordingWriter(
            to, 10L << 20, Map.of(), new Counter(), System::nanoTime, Clock.systemUTC())) {
      writer.start(() -> new RecordingWriter.Checkpoint(0, List.of()));
      long nanos = 1;
      for (Interval interval : SUFFERS.draw(1)) {
        writer.add(
            new Recorded.SideBySide(
                nanos++,
                Math.round(1000 * interval.seconds()),
                30,
                interval.load(),
                interval.bestEffort(),
                counted ? interval.value() : null,
                null));
      }
    }
    return to;
  }

  @Test
  void aNodesRecordingIsJudged() throws IOException {
    assertThat(run("--samples", recording(true).toString())).as(err.toString()).isZero();
    assertThat(out.toString()).contains("production, cpi: suffers");
    assertThat(run("--samples", recording(false).toString())).isEqualTo(1);
    assertThat(err.toString()).contains("no interval has a value for pressure", "cpu.mode");
    assertThat(run("--samples", recording(false).toString(), "--value", "mpki")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--value of a recording must be cpi or pressure, was 'mpki'");
  }

  @Test
  void wrongUsageExitsWithCodeTwoAndUnreadableFilesWithCodeOne() throws IOException {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("Missing required option: '--samples");
    Path file = table("app,time,cpi,load,best_effort", "shop", FINE);
    assertThat(run("--samples", file.toString(), "--false-alarms", "50")).isEqualTo(2);
    assertThat(run("--samples", file.toString(), "--least-effect", "0")).isEqualTo(2);
    assertThat(run("--samples", file.toString(), directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("recordings and tables cannot be mixed");
    assertThat(run("--samples", directory.resolve("none.csv").toString())).isEqualTo(1);
    assertThat(run("--samples", directory.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("contains no recording");
    Path empty = Files.writeString(directory.resolve("empty.csv"), "time,cpi,load,best_effort\n");
    assertThat(run("--samples", empty.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("empty.csv: no row can be used");
    assertThat(run("--samples", file.toString(), "--json", file + "/a.json")).isEqualTo(1);
  }

  @Test
  void theCurveCountsHowOftenItIsRight() throws IOException {
    Path json = directory.resolve("curve.json");
    assertThat(
            run(
                "curve",
                "--effects",
                "0,20",
                "--days",
                "0.5",
                "--draws",
                "10",
                "--json",
                json.toString()))
        .as(err.toString())
        .isZero();
    assertThat(out.toString()).contains("true effect", "naive test", "of 10 services each");
    JsonNode points = new ObjectMapper().readTree(json.toFile()).path("points");
    assertThat(points).hasSize(2);
    assertThat(points.get(1).path("suffers").asInt()).isEqualTo(10);
    assertThat(points.get(0).path("suffers").asInt()).isLessThanOrEqualTo(1);
    assertThat(run("curve", "--draws", "5")).isEqualTo(2);
    assertThat(run("curve", "--days", "0.1")).isEqualTo(2);
    assertThat(run("curve", "--draws", "10", "--effects", "0", "--json", json + "/x")).isEqualTo(1);
  }
}
