/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.killer.RoundVerdict.EndedByOthers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FalseKillsReportTest {
  private static Report report(RoundVerdict... verdicts) {
    return report(List.of(verdicts));
  }

  private static Report report(List<RoundVerdict> verdicts) {
    return FalseKillsReport.of(
        new FalseKillsResult(
            new FalseKillsOptions(
                verdicts.size(), 7, Duration.ofSeconds(3), Duration.ofSeconds(8), "fitting"),
            verdicts,
            9));
  }

  private static RoundVerdict verdict(int production, int innocent, ThrashEpisodes anonymous) {
    return new RoundVerdict(
        anonymous.endedInTime(),
        production,
        innocent,
        0,
        0,
        anonymous,
        ThrashEpisodes.NONE,
        EndedByOthers.NONE);
  }

  private static List<RoundVerdict> rounds(int count, RoundVerdict all, RoundVerdict... first) {
    List<RoundVerdict> rounds = new ArrayList<>(List.of(first));
    while (rounds.size() < count) {
      rounds.add(all);
    }
    return rounds;
  }

  private static final ThrashEpisodes IN_TIME = new ThrashEpisodes(1, 0, 0, 0);
  private static final ThrashEpisodes SURVIVED = new ThrashEpisodes(0, 1, 0, 1);
  private static final ThrashEpisodes LATE = new ThrashEpisodes(0, 1, 1, 0);
  private static final RoundVerdict GOOD = verdict(0, 0, IN_TIME);

  @Test
  void sumsTheRounds() {
    Report report =
        report(
            new RoundVerdict(1, 0, 2, 0, 1, IN_TIME, SURVIVED, EndedByOthers.NONE),
            new RoundVerdict(
                2,
                0,
                0,
                1,
                0,
                new ThrashEpisodes(2, 1, 1, 0),
                ThrashEpisodes.NONE,
                new EndedByOthers(1, 0)));
    assertThat(report.ok()).isTrue();
    assertThat(report.json().toString())
        .contains(
            "\"rounds\":2",
            "\"episodes\":5",
            "\"productionKills\":0",
            "\"innocentKills\":2",
            "\"killsWithoutRelief\":1",
            "\"missedThrash\":2",
            "\"anonymousEpisodes\":4",
            "\"anonymousEndedInTime\":3",
            "\"fileEpisodes\":1",
            "\"fileEndedInTime\":0",
            "\"episodeSeconds\":8",
            "\"fileRefaults\":\"fitting\"",
            "\"seed\":7");
    assertThat(report.rows()).contains(List.of("guiltyKills", "3"), List.of("falseAlarms", "1"));
    assertThat(report.remarks())
        .contains("Recall of file thrash: 0 %, 0 of 1 episodes (no target).");
  }

  @Test
  void aProductionKillIsAFailureWithAnyNumberOfRounds() {
    RoundVerdict bad = verdict(1, 0, IN_TIME);
    assertThat(report(bad).ok()).isFalse();
    assertThat(report(bad).remarks()).anyMatch(line -> line.startsWith("NOT MET  no production"));
    assertThat(report(rounds(60, GOOD, bad)).ok()).isFalse();
  }

  @Test
  void productionThatLinuxEndedIsAFailureWithAnyNumberOfRounds() {
    RoundVerdict bad =
        new RoundVerdict(1, 0, 0, 0, 0, IN_TIME, ThrashEpisodes.NONE, new EndedByOthers(1, 1));
    assertThat(report(bad).ok()).isFalse();
    assertThat(report(bad).remarks())
        .anyMatch(line -> line.startsWith("NOT MET  no production container ended otherwise"));
    assertThat(report(bad).rows()).contains(List.of("productionEndedByOthers", "1"));
    assertThat(report(rounds(60, GOOD, bad)).ok()).isFalse();
  }

  @Test
  void aKillerThatDoesNothingFails() {
    RoundVerdict idle = verdict(0, 0, SURVIVED);
    assertThat(report(idle).ok()).isFalse();
    assertThat(report(rounds(60, idle)).ok()).isFalse();
    assertThat(report(rounds(60, verdict(0, 0, ThrashEpisodes.NONE))).ok())
        .as("no episode in 60 rounds proves nothing")
        .isFalse();
  }

  @Test
  void withFewRoundsSharesAreNotJudged() {
    assertThat(report(rounds(59, GOOD, verdict(0, 9, LATE))).ok()).isTrue();
    assertThat(report(verdict(0, 0, ThrashEpisodes.NONE)).ok()).as("nobody is guilty").isTrue();
  }

  @Test
  void atLeastNineteenOfTwentyEndInTime() {
    RoundVerdict late = verdict(0, 0, LATE);
    assertThat(report(rounds(60, GOOD, late, late, late)).ok()).isTrue();
    assertThat(report(rounds(60, GOOD, late, late, late, late)).ok()).isFalse();
  }

  @Test
  void oneInnocentInSixtyRoundsIsAllowed() {
    RoundVerdict wrong = verdict(0, 1, IN_TIME);
    RoundVerdict alarm =
        new RoundVerdict(
            0, 0, 0, 1, 0, ThrashEpisodes.NONE, ThrashEpisodes.NONE, EndedByOthers.NONE);
    assertThat(report(rounds(60, GOOD, wrong)).ok()).isTrue();
    assertThat(report(rounds(119, GOOD, wrong, alarm)).ok()).isFalse();
    assertThat(report(rounds(120, GOOD, wrong, alarm)).ok()).isTrue();
  }
}
