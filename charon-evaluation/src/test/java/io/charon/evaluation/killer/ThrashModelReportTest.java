/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.killer.ThrashModelResult.ThrashBaseline;
import io.charon.evaluation.killer.ThrashModelResult.ThrashMachine;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThrashModelReportTest {
  private static final List<Double> RATIOS = List.of(1.25, 2.0);

  @TempDir private Path directory;

  private static ThrashPoint point(
      ThrashProgram program, double ratio, int ended, double... slowdowns) {
    List<Double> all = Arrays.stream(slowdowns).boxed().toList();
    return new ThrashPoint(
        program, false, ratio, all, all.stream().map(s -> s * 1000).toList(), ended);
  }

  private static ThrashModelResult result(ThrashPoint... anonymous) {
    return new ThrashModelResult(
        new ThrashModelOptions(RATIOS, RATIOS, List.of(), 3, Duration.ofMillis(750)),
        Arrays.stream(ThrashProgram.values())
            .map(program -> new ThrashBaseline(program, List.of(9000.0, 12_000.0, 10_000.0)))
            .toList(),
        Stream.concat(
                Arrays.stream(anonymous),
                Stream.of(
                    point(ThrashProgram.FILE, 1.25, 0, 3, 2.5, 2.75),
                    point(ThrashProgram.FILE, 2.0, 0, 5, 5, 5)))
            .toList(),
        new ThrashMachine("6.18.0", 2, 1, 1024, "ext4 on /dev/sda1", 200),
        12.5);
  }

  private static ThrashModelResult measured() {
    return result(
        point(ThrashProgram.ANONYMOUS, 1.25, 0, 1.5, 1.25, 1.75),
        point(ThrashProgram.ANONYMOUS, 2.0, 1, 4, 4));
  }

  private Properties written(ThrashModelResult result) throws IOException {
    Path file = directory.resolve("below/model.properties");
    ThrashModelReport.writeModel(result, file);
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
    }
    return properties;
  }

  @Test
  void theModelHasTheMediansOfWhatLinuxLetLive() throws Exception {
    Properties model = written(measured());
    assertThat(model)
        .containsEntry("anonymous.ratio", "1.00 1.25")
        .containsEntry("anonymous.slowdown", "1.00 1.50")
        .containsEntry("anonymous.nanos-per-fault", "1500 1500")
        .containsEntry("file.ratio", "1.00 1.25 2.00")
        .containsEntry("file.slowdown", "1.00 2.75 5.00")
        .hasSize(6);
  }

  @Test
  void theModelSaysWhereItComesFrom() throws Exception {
    written(measured());
    assertThat(Files.readString(directory.resolve("below/model.properties")))
        .contains("# Linux 6.18.0, 2 CPUs, cgroup v1, swap on zram (1024 MB")
        .contains("files on ext4 on /dev/sda1", "3 repetitions", "10.00 us (2000 steps")
        .contains("1.50 (1.25 to 1.75)  1.5 us", "ended by Linux's OOM killer");
  }

  @Test
  void withoutACurveThereIsNoModel() {
    assertThatThrownBy(() -> written(result(point(ThrashProgram.ANONYMOUS, 1.25, 3))))
        .hasMessageContaining("Linux's OOM killer");
    assertThatThrownBy(() -> written(result(point(ThrashProgram.ANONYMOUS, 1.25, 0, -1))))
        .hasMessageContaining("no slower with a limit");
  }

  @Test
  void tableAndJsonHaveEveryPoint() {
    Report report = ThrashModelReport.of(measured());
    assertThat(report.rows()).hasSize(4);
    assertThat(report.rows()).allSatisfy(row -> assertThat(row).hasSameSizeAs(report.header()));
    JsonNode points = report.json().path("programs").path(0).path("points");
    assertThat(points.path(0).path("slowdown").asDouble()).isEqualTo(1.5);
    assertThat(points.path(0).path("slowdownSamples")).hasSize(3);
    assertThat(points.path(1).path("endedByLinux").asInt()).isEqualTo(1);
  }

  @Test
  void aRefaultCostsTheTimeLostOverTheirNumber() {
    WorkPace unlimited = new WorkPace(10_000, 0);
    WorkPace limited = new WorkPace(30_000, 0.5);
    assertThat(limited.slowdown(unlimited)).isEqualTo(3);
    assertThat(limited.nanosPerRefault(unlimited)).isEqualTo(40_000);
    assertThat(unlimited.nanosPerRefault(unlimited)).isNaN();
  }
}
