/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.killer.Report;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterferenceReportTest {
  private static final Pair WARM = Pair.of("mapped:stream").orElseThrow();
  private static final Pair COLD = Pair.of("mapped:stream:cold").orElseThrow();
  private static final int COUNT = 3;

  private final List<Episode> episodes = new ArrayList<>();

  private void measured(
      Pair pair, InterferenceMode mode, double still, double perSecond, double work) {
    for (int number = 0; number < COUNT; number++) {
      episodes.add(
          Episodes.of(
              Episodes.planned(pair, mode, number),
              still,
              perSecond,
              work,
              Episodes.kills(number, 1)));
    }
  }

  private void pairAsItShouldBe() {
    measured(WARM, InterferenceMode.ALONE, 0, 1000, 0);
    measured(WARM, InterferenceMode.ALONE_AGAIN, 0, 900, 0);
    measured(WARM, InterferenceMode.NONE, 9, 1000, 50);
    measured(WARM, InterferenceMode.NO_CONTEST, 0, 800, 50);
    measured(WARM, InterferenceMode.LIMIT_AND_KILLER, 0.2, 780, 45);
  }

  private InterferenceResult result(Pair... pairs) {
    return new InterferenceResult(
        new InterferenceOptions(
            List.of(pairs),
            List.of(InterferenceMode.values()),
            COUNT,
            Duration.ofMillis(Math.round(Episodes.SECONDS * 1000))),
        episodes,
        2,
        "6.18",
        1);
  }

  private Report report(Pair... pairs) {
    return InterferenceReport.of(result(pairs));
  }

  private static JsonNode scenario(Report report, String mode) {
    for (JsonNode one : report.json().path("scenarios")) {
      if (one.path("mode").asText().equals(mode)) {
        return one;
      }
    }
    throw new AssertionError("no " + mode + " in " + report.json());
  }

  @Test
  void speedIsComparedWithTheSameBestEffortThatTakesNoMemory() {
    pairAsItShouldBe();
    Report report = report(WARM);

    JsonNode none = scenario(report, "none");
    assertThat(none.path("production").asText()).isEqualTo("mapped");
    assertThat(none.path("bestEffort").asText()).isEqualTo("stream");
    assertThat(none.path("cold").asBoolean(true)).isFalse();
    assertThat(none.path("secondsBelowHalf").asDouble()).isCloseTo(9, within(1e-3));
    assertThat(none.path("medianVsAlone").asDouble(-1)).isZero();
    assertThat(none.path("secondsToFullSpeed").isNull()).isTrue();
    assertThat(none.path("wallMegabytes").isNull()).isTrue();

    JsonNode both = scenario(report, "limit+killer");
    assertThat(both.path("secondsBelowHalf").asDouble()).isCloseTo(0.2, within(1e-3));
    assertThat(both.path("medianVsAlone").asDouble()).isCloseTo(0.78, within(1e-3));
    assertThat(both.path("medianVsNoContest").asDouble()).isCloseTo(0.975, within(1e-3));
    assertThat(both.path("bestEffortWorkVsNone").asDouble()).isCloseTo(0.9, within(1e-3));
    assertThat(both.path("wallMegabytes").asDouble()).isEqualTo(180);
    assertThat(both.path("bestEffortMegabytes").asDouble()).isEqualTo(175);
    assertThat(both.path("kills").path("charon").asInt()).isEqualTo(3);
    assertThat(both.path("kills").path("kernelOom").asInt()).isEqualTo(3);
    assertThat(both.path("productionKilled").asInt(-1)).isZero();
    assertThat(both.path("episodes").asInt()).isEqualTo(COUNT);
    assertThat(both.path("aaSpread").asDouble()).isCloseTo(0.1, within(1e-3));
    assertThat(both.path("p99VsAlone").asDouble()).isBetween(1.1, 1.5);
    assertThat(both.path("p50Millis").asDouble()).isBetween(1.0, 1.3);
    assertThat(both.path("p99Millis").asDouble()).isBetween(1.0, 1.3);
    assertThat(String.join(" ", report.remarks())).doesNotContain("transactions");
    assertThat(report.json().path("cpus").asInt()).isEqualTo(2);
    assertThat(report.json().path("kernel").asText()).isEqualTo("6.18");
    assertThat(report.ok()).as(report.remarks().toString()).isTrue();
  }

  @Test
  void theReportOfAServerSaysWhatItsSpeedAndLatencyAre() {
    measured(
        Pair.of("postgresql:stream").orElseThrow(), InterferenceMode.LIMIT_AND_KILLER, 0, 300, 45);
    Report report = report(Pair.of("postgresql:stream").orElseThrow());
    assertThat(scenario(report, "limit+killer").path("production").asText())
        .isEqualTo("postgresql");
    assertThat(String.join(" ", report.remarks()))
        .contains("postgresql: 300 transactions a second are due");
  }

  @Test
  void aTargetThatIsMissedMakesTheReportNotOk() {
    pairAsItShouldBe();
    episodes.removeIf(episode -> episode.key().contains("limit+killer"));
    measured(WARM, InterferenceMode.LIMIT_AND_KILLER, 0.6, 780, 45);
    Report report = report(WARM);
    assertThat(report.ok()).isFalse();
    assertThat(report.remarks())
        .contains(
            "NOT MET  mapped:stream: s below half, alone-again's and 0.3: 0.60 (at most 0.30)");
  }

  @Test
  void aColdStartIsComparedWithThatOnTheEmptyNode() {
    measured(COLD, InterferenceMode.ALONE, 2, 1000, 0);
    measured(COLD, InterferenceMode.NONE, 10, 1000, 50);
    measured(COLD, InterferenceMode.LIMIT_AND_KILLER, 4.5, 1000, 45);
    Report report = report(COLD);
    assertThat(scenario(report, "none").path("fullSpeedMissed").asBoolean()).isTrue();
    assertThat(scenario(report, "none").path("secondsToFullSpeed").asDouble()).isEqualTo(10);
    assertThat(scenario(report, "limit+killer").path("secondsToFullSpeed").asDouble())
        .isEqualTo(4.5);
    assertThat(report.ok()).isFalse();
    assertThat(report.remarks())
        .anyMatch(line -> line.startsWith("NOT MET  mapped:stream:cold: s from a cold start"));
  }

  @Test
  void aStartThatNoEpisodeSeesTheEndOfIsNoStartInTime() {
    measured(WARM, InterferenceMode.ALONE, 0, 1000, 0);
    measured(COLD, InterferenceMode.ALONE, 8, 1000, 0);
    measured(COLD, InterferenceMode.LIMIT_AND_KILLER, 10, 1000, 45);
    Report report = report(COLD);
    assertThat(report.ok()).isFalse();
    assertThat(report.remarks())
        .anyMatch(line -> line.startsWith("NOT MET  mapped:stream:cold: s from a cold start"));
  }

  @Test
  void productionThatDiesIsSaidWhateverElseHolds() throws IOException {
    pairAsItShouldBe();
    Episode one = episodes.get(COUNT * 2);
    episodes.set(
        COUNT * 2,
        new Episode(
            one.key(),
            one.setting(),
            one.seconds(),
            one.speed(),
            one.latencies(),
            one.memory(),
            one.work(),
            new Episode.Kills(0, 0, true)));
    Report report = report(WARM);
    assertThat(report.ok()).isFalse();
    assertThat(report.rows()).anyMatch(row -> row.contains("1 KILLED"));
    assertThat(InterferenceReport.html(report, result(WARM)))
        .contains("class=\"missed\"", "1 KILLED", "data:image/svg+xml;base64,", "</html>")
        .doesNotContain("http://", "<script");
  }
}
