/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.killer.Report;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ColocationReportTest {
  private static final Report REPORT =
      ColocationReport.of(
          new ColocationResult(
              new ColocationOptions(
                  List.of("cpu"),
                  Optional.empty(),
                  3,
                  Duration.ofSeconds(60),
                  Optional.empty(),
                  false,
                  Optional.empty()),
              List.of(
                  Runs.scenario(
                      "cpu",
                      Runs.Of.of("alone", 0, 100, 100, 100),
                      Runs.Of.of("none", 900, 150, 180, 160),
                      Runs.Of.of("alone-again", 0, 100, 104, 100),
                      Runs.Of.of("cpu", 500, 105, 105, 105),
                      Runs.Of.of("best-effort-alone", 1000, 0, 0, 0))),
              List.of(
                  new AgentCost(
                      100,
                      Duration.ofSeconds(60),
                      30,
                      Duration.ofMillis(500),
                      5000,
                      new TreeMap<>(Map.of("ticks", 1.0, "freeze", 0.25)),
                      List.of("cache-ways"))),
              "6.18.0",
              2,
              3));

  @Test
  void jsonHasTheFieldsThatOthersRelyOn() {
    JsonNode scenarios = REPORT.json().path("scenarios");
    assertThat(scenarios)
        .extracting(one -> one.path("mode").asText())
        .containsExactly("alone", "none", "alone-again", "cpu", "best-effort-alone");
    JsonNode none = scenarios.path(1);
    assertThat(none.path("name").asText()).isEqualTo("cpu");
    // The median of 150, 180 / 1.02 and 160 percent.
    assertThat(none.path("foregroundP95VsAlone").asDouble()).isEqualTo(1.6);
    assertThat(none.path("foregroundP99VsAlone").asDouble()).isEqualTo(1.6);
    assertThat(none.path("foregroundThroughputVsAlone").asDouble()).isEqualTo(1);
    assertThat(none.path("backgroundWorkVsAlone").asDouble()).isEqualTo(0.9);
    assertThat(none.path("utilization").asDouble()).isEqualTo(0.5);
    assertThat(none.path("repetitions").asInt()).isEqualTo(3);
    assertThat(none.path("aaSpread").asDouble()).isCloseTo(0.04, within(1e-9));
    assertThat(none.path("samples").asInt()).isEqualTo(3);
    JsonNode regulated = scenarios.path(3);
    assertThat(regulated.path("maxViolations").asInt()).isEqualTo(2);
    assertThat(regulated.path("agentCpuPercent").asDouble()).isEqualTo(0.25);
    assertThat(scenarios.path(0).path("backgroundWorkVsAlone").isNull()).isTrue();
    assertThat(scenarios.path(4).path("foregroundP95VsAlone").isNull()).isTrue();
    assertThat(none.path("aaSpreadOfP99").asDouble()).isCloseTo(0.04, within(1e-9));
    assertThat(none.path("spareUsed").asDouble()).isZero();
    assertThat(scenarios.path(0).path("spareUsed").isNull()).isTrue();
    JsonNode agent = REPORT.json().path("agent").path(0);
    assertThat(agent.path("cpuPercent").asDouble()).isEqualTo(1.25);
    assertThat(agent.path("percentByPart").path("freeze").asDouble()).isEqualTo(0.25);
    assertThat(agent.path("warmUpSeconds").asInt()).isEqualTo(60);
    assertThat(agent.path("tickMillis").asInt()).isEqualTo(500);
    assertThat(agent.path("unavailable").path(0).asText()).isEqualTo("cache-ways");
    assertThat(REPORT.json().path("targets")).hasSize(4);
  }

  @Test
  void peopleReadVerdictsAndWhatThePercentilesRestOn() {
    assertThat(REPORT.remarks())
        .anyMatch(line -> line.startsWith("ok") && line.contains("foreground p95 within 10 %"))
        .anyMatch(line -> line.contains("A/A spread (alone against alone): p95 4.0 %"))
        .contains(
            "agent: 100 containers, every mechanism in enforce: 1.25 % of one CPU with all threads"
                + " and programs, after 60 s; a tick takes 5.00 ms of CPU every 500 ms (30 ticks); not"
                + " on this machine: cache-ways",
            "  percent of one CPU by part: ticks 1.00, freeze 0.25");
    assertThat(REPORT.rows().get(1)).contains("1.600", "1.600 (few)", "0.900");
  }
}
