/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class RoundVerdictTest {
  private static final Duration TOLERANCE = Duration.ofSeconds(1);
  private static final long MEGABYTE = 1 << 20;
  private static final RoundScript SCRIPT =
      new RoundScript(
          0,
          List.of(
              new ScriptedContainer("production", Role.PRODUCTION, Behaviour.ANONYMOUS, 50, 50, 60),
              new ScriptedContainer("idle", Role.BEST_EFFORT, Behaviour.IDLE, 50, 50, 60),
              new ScriptedContainer("guilty", Role.BEST_EFFORT, Behaviour.ANONYMOUS, 50, 150, 5)));

  private static long at(double seconds) {
    return Math.round(seconds * 1e9);
  }

  /**
   * Returns six seconds of samples in which the guilty container uses 150 MB, the others use 50 MB,
   * and one container exits. The refaults of the guilty container, in pages, are a function of the
   * milliseconds.
   */
  private static List<RoundSample> samples(
      String dies, double deathSeconds, LongUnaryOperator guiltyRefaults) {
    List<RoundSample> samples = new ArrayList<>();
    for (int millis = 0; millis <= 6000; millis += 100) {
      boolean dead = millis >= deathSeconds * 1000;
      samples.add(
          new RoundSample(
              millis * 1_000_000L,
              Map.of(
                  "production", state(0, "production", dies, dead),
                  "idle", state(0, "idle", dies, dead),
                  "guilty", state(guiltyRefaults.applyAsLong(millis), "guilty", dies, dead))));
    }
    return samples;
  }

  private static RoundSample.State state(long refaults, String name, String dies, boolean dead) {
    boolean gone = name.equals(dies) && dead;
    return new RoundSample.State(
        new MemoryStatistics(refaults, 0, gone ? 0 : (name.equals("guilty") ? 150 : 50) * MEGABYTE),
        !gone);
  }

  private static RoundKill kill(String victim, double seconds, int megabytes) {
    return new RoundKill(victim, at(seconds), megabytes * MEGABYTE, "guilty", "anonymous");
  }

  private static RoundVerdict judge(List<RoundKill> kills, List<RoundSample> samples) {
    return RoundVerdict.of(SCRIPT, kills, samples, TOLERANCE);
  }

  @Test
  void theGuiltyOneDiesAndAllIsWell() {
    RoundVerdict verdict =
        judge(
            List.of(kill("guilty", 2, 150)),
            samples("guilty", 2.05, millis -> Math.min(millis, 2000)));
    assertThat(verdict)
        .isEqualTo(
            new RoundVerdict(
                1,
                0,
                0,
                0,
                0,
                new ThrashEpisodes(1, 0, 0, 0),
                ThrashEpisodes.NONE,
                RoundVerdict.EndedByOthers.NONE));
    assertThat(verdict.episodes()).isEqualTo(1);
  }

  @Test
  void aProductionKillIsOne() {
    assertThat(judge(List.of(kill("production", 2, 50)), samples("production", 2.05, m -> 0)))
        .extracting(RoundVerdict::productionKills)
        .isEqualTo(1);
  }

  @Test
  void anInnocentDiesWhileTheGuiltyOneLives() {
    RoundVerdict verdict =
        judge(List.of(kill("idle", 2, 50)), samples("idle", 2.05, millis -> millis));
    assertThat(verdict.innocentKills()).isEqualTo(1);
    assertThat(verdict.falseAlarms()).isZero();
  }

  @Test
  void anInnocentThatDiesAfterTheGuiltyOneIsAFalseAlarm() {
    RoundVerdict verdict =
        judge(
            List.of(kill("guilty", 2, 150), kill("idle", 4, 50)),
            samples("guilty", 2.05, millis -> Math.min(millis, 2000)));
    assertThat(verdict.guiltyKills()).isEqualTo(1);
    assertThat(verdict.falseAlarms()).isEqualTo(1);
    assertThat(verdict.innocentKills()).isZero();
  }

  @Test
  void aKillThatFreesNothingAndStopsNothingBringsNoRelief() {
    RoundVerdict verdict =
        judge(List.of(kill("idle", 2, 50)), samples("nobody", 0, millis -> millis));
    assertThat(verdict.killsWithoutRelief()).isEqualTo(1);
  }

  @Test
  void fewerRefaultsAreReliefEvenIfCacheStays() {
    RoundVerdict verdict =
        judge(List.of(kill("idle", 2, 50)), samples("nobody", 0, millis -> Math.min(millis, 2100)));
    assertThat(verdict.killsWithoutRelief()).isZero();
  }

  @Test
  void thrashBeyondToleranceAndGraceIsMissed() {
    assertThat(
            judge(List.of(), samples("nobody", 0, millis -> Math.min(millis, 3300))).missedThrash())
        .isEqualTo(1);
    assertThat(
            judge(List.of(), samples("nobody", 0, millis -> Math.min(millis, 2700))).missedThrash())
        .isZero();
  }

  @Test
  void aKillThatCameTooLateIsOneEpisode() {
    RoundVerdict verdict =
        judge(
            List.of(kill("guilty", 4, 150)),
            samples("guilty", 4.05, millis -> Math.min(millis, 4000)));
    assertThat(verdict.missedThrash()).isEqualTo(1);
    assertThat(verdict.endedLate()).isEqualTo(1);
    assertThat(verdict.episodes()).isEqualTo(1);
  }

  @Test
  void aGuiltyContainerWithoutAKillSurvivesAndALateKillEndsIt() {
    assertThat(judge(List.of(), samples("nobody", 0, millis -> millis)).anonymous())
        .isEqualTo(new ThrashEpisodes(0, 1, 0, 1));
    assertThat(
            judge(List.of(kill("guilty", 4, 150)), samples("guilty", 4.05, millis -> millis))
                .anonymous())
        .isEqualTo(new ThrashEpisodes(0, 1, 1, 0));
  }

  @Test
  void theDeathOfAnInnocentIsNoEpisodeAndTheGuiltyOneThatGoesOnIsMissed() {
    RoundVerdict verdict =
        judge(List.of(kill("idle", 1.5, 50)), samples("idle", 1.55, millis -> millis));
    assertThat(verdict.episodes()).isEqualTo(1);
    assertThat(verdict.anonymous()).isEqualTo(new ThrashEpisodes(0, 1, 0, 1));
  }

  @Test
  void fileThrashIsCountedApart() {
    RoundScript reader =
        new RoundScript(
            0,
            List.of(new ScriptedContainer("guilty", Role.BEST_EFFORT, Behaviour.FILE, 50, 150, 5)));
    RoundVerdict verdict =
        RoundVerdict.of(reader, List.of(), samples("nobody", 0, millis -> millis), TOLERANCE);
    assertThat(verdict.file()).isEqualTo(new ThrashEpisodes(0, 1, 0, 1));
    assertThat(verdict.anonymous()).isEqualTo(ThrashEpisodes.NONE);
    assertThat(verdict.missedThrash()).isEqualTo(1);
  }

  @Test
  void anyKillGivesTheNextEpisodeItsTime() {
    assertThat(
            judge(
                    List.of(kill("idle", 2.9, 50)),
                    samples("idle", 2.95, millis -> Math.min(millis, 5800)))
                .missedThrash())
        .isZero();
  }

  @Test
  void anUnexpectedExitOfAContainerIsReported() {
    assertThat(judge(List.of(), samples("production", 3, m -> 0)).endedByOthers()).isEqualTo(1);
    assertThat(judge(List.of(), samples("idle", 3, m -> 0)).endedByOthers()).isEqualTo(1);
  }

  @Test
  void anUnexpectedExitOfProductionIsCountedApart() {
    assertThat(judge(List.of(), samples("production", 3, m -> 0)).productionEndedByOthers())
        .isEqualTo(1);
    assertThat(judge(List.of(), samples("idle", 3, m -> 0)).productionEndedByOthers()).isZero();
  }
}
