/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KillerReportTest {
  @TempDir private Path directory;

  private static KillerResult result() {
    List<KillMeasurement> all =
        new ArrayList<>(Measurements.kills(KillVariants.IN_KERNEL, 50, 2, 0.04, 12.5));
    all.add(KillMeasurement.without(KillVariants.LINUX, 50, KillMeasurement.End.NOT_KILLED));
    all.add(KillMeasurement.without(KillVariants.LINUX, 50, KillMeasurement.End.ENDED_BY_LINUX));
    return Measurements.result(List.of(KillVariants.IN_KERNEL, KillVariants.LINUX), all);
  }

  @Test
  void jsonHasTheFieldsThatOthersRelyOn() throws Exception {
    Path file = directory.resolve("below/killer.json");
    KillerReport.of(result()).writeJson(file);
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.path("kernel").asText()).isEqualTo("6.18.0");
    assertThat(json.path("cpus").asInt()).isEqualTo(2);
    JsonNode kernel = json.path("variants").path(0);
    assertThat(kernel.path("name").asText()).isEqualTo("in-kernel");
    assertThat(kernel.path("containerMegabytes").asInt()).isEqualTo(50);
    assertThat(kernel.path("kills").asInt()).isEqualTo(2);
    for (String field :
        List.of(
            "decisionToLastSignalMillis",
            "decisionToGoneMillis",
            "decisionToFreedMillis",
            "onsetToDecisionMillis")) {
      JsonNode latencies = kernel.path(field);
      assertThat(latencies.path("p50").isNumber()).as(field).isTrue();
      assertThat(latencies.path("p90").isNumber()).as(field).isTrue();
      assertThat(latencies.path("p99").isNull()).as(field).isTrue();
      assertThat(latencies.path("max").isNumber()).as(field).isTrue();
      assertThat(latencies.path("samples")).as(field).hasSize(2);
    }
    assertThat(kernel.path("decisionToFreedMillis").path("max").asDouble()).isEqualTo(12.5);
    assertThat(kernel.path("onsetToFreedMillis").path("max").asDouble()).isEqualTo(512.5);
  }

  @Test
  void whatWasNotMeasuredIsNullAndNotZero() {
    JsonNode linux = KillerReport.of(result()).json().path("variants").path(1);
    assertThat(linux.path("kills").asInt()).isZero();
    assertThat(linux.path("notKilled").asInt()).isEqualTo(1);
    assertThat(linux.path("endedByLinux").asInt()).isEqualTo(1);
    JsonNode freed = linux.path("decisionToFreedMillis");
    assertThat(freed.path("p50").isNull()).isTrue();
    assertThat(freed.path("max").isNull()).isTrue();
    assertThat(freed.path("samples")).isEmpty();
  }

  @Test
  void killsThatFreedNothingAreSaid() {
    Report report =
        KillerReport.of(
            Measurements.result(
                List.of(KillVariants.IN_KERNEL),
                List.of(
                    Measurements.kill(KillVariants.IN_KERNEL, 50, 0.04, 12.5),
                    Measurements.unfreed(KillVariants.IN_KERNEL, 50))));
    assertThat(report.json().path("variants").path(0).path("unfreed").asInt()).isEqualTo(1);
    assertThat(report.remarks())
        .contains(
            "in-kernel, 50 MB: the memory of 1 of 2 kills was not freed within 2 s of the last exit;"
                + " they count with that time.");
  }

  @Test
  void theTableNormalizesBySize() {
    Report report = KillerReport.of(result());
    assertThat(report.rows()).hasSize(2);
    assertThat(report.rows()).allSatisfy(row -> assertThat(row).hasSameSizeAs(report.header()));
    assertThat(report.rows().get(0)).contains("12.5 / 12.5 / 12.5", "24.9 / 24.9 / 24.9");
    assertThat(report.rows().get(1)).startsWith("linux-oom", "50", "0", "2", "-");
  }

  @Test
  void thePictureShowsEveryVariantThatKilled() throws Exception {
    assertThat(KillerChart.chart(result()).getSeriesMap()).containsOnlyKeys("in-kernel");
    assertThat(KillerChart.chart(result()).getStyler().getYAxisMin()).isEqualTo(10);
    assertThat(KillerChart.chart(result()).getStyler().getYAxisMax()).isEqualTo(100);
  }
}
