/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverheadReportTest {
  private static OverheadResult result(double lite, double major) {
    return new OverheadResult(
        List.of(
            new FaultCosts(
                OverheadBench.NONE, List.of(100.0, 102.0, 98.0), List.of(1000.0, 1000.0, 1000.0)),
            new FaultCosts(
                OverheadBench.LITE, List.of(lite, 103.0, 97.0), List.of(major, major, major))),
        "6.18.0",
        2,
        3);
  }

  @Test
  void jsonHasTheFieldsThatOthersRelyOn() {
    JsonNode lite = OverheadReport.of(result(100, 1010)).json().path("variants").path(1);
    assertThat(lite.path("name").asText()).isEqualTo("lite");
    assertThat(lite.path("minorFaultNanos").asDouble()).isEqualTo(100);
    assertThat(lite.path("majorFaultNanos").asDouble()).isEqualTo(1010);
    assertThat(lite.path("minorRatioToNone").asDouble()).isEqualTo(1);
    assertThat(lite.path("majorRatioToNone").asDouble()).isEqualTo(1.01);
    assertThat(lite.path("ratioLow95").asDouble()).isEqualTo(1.01);
    assertThat(lite.path("ratioHigh95").asDouble()).isEqualTo(1.01);
    assertThat(lite.path("repetitions").asInt()).isEqualTo(3);
  }

  @Test
  void judgesTheDefaultSourceByBothTargets() {
    assertThat(result(100, 1020).targets()).extracting(Target::met).containsExactly(true, true);
    assertThat(result(100, 1021).targets()).extracting(Target::met).containsExactly(true, false);
  }

  @Test
  void aMinorFaultThatAlwaysCostsMoreIsMeasurable() {
    OverheadResult result =
        new OverheadResult(
            List.of(
                new FaultCosts(OverheadBench.NONE, List.of(100.0, 100.0), List.of(1.0, 1.0)),
                new FaultCosts(OverheadBench.LITE, List.of(120.0, 121.0), List.of(1.0, 1.0))),
            "6.18.0",
            2,
            3);
    assertThat(result.targets().get(0).met()).isFalse();
  }
}
