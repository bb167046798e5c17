/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FalseKillsReportTest {
  private static Report report(RoundVerdict... verdicts) {
    return FalseKillsReport.of(
        new FalseKillsResult(
            new FalseKillsOptions(verdicts.length, 7, Duration.ofSeconds(3)),
            List.of(verdicts),
            9));
  }

  @Test
  void sumsTheRounds() {
    Report report =
        report(new RoundVerdict(1, 0, 2, 0, 1, 0, 0, 0), new RoundVerdict(2, 0, 0, 1, 0, 3, 1, 1));
    assertThat(report.ok()).isTrue();
    assertThat(report.json().toString())
        .contains(
            "\"rounds\":2",
            "\"episodes\":8",
            "\"productionKills\":0",
            "\"innocentKills\":2",
            "\"killsWithoutRelief\":1",
            "\"missedThrash\":3",
            "\"seed\":7");
    assertThat(report.rows()).contains(List.of("guiltyKills", "3"), List.of("falseAlarms", "1"));
  }

  @Test
  void aProductionKillIsAFailure() {
    Report report = report(new RoundVerdict(1, 1, 0, 0, 0, 0, 0, 0));
    assertThat(report.ok()).isFalse();
    assertThat(report.remarks()).last().asString().startsWith("NOT MET");
  }
}
