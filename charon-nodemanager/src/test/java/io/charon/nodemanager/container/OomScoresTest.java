/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.Owner;
import io.charon.nodemanager.config.CharonSettings.ProcessSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the values of table 2 of the paper. */
class OomScoresTest {
  private static final ContainerInfo TASK = ContainerInfos.bestEffort("c1", 1);
  private static final ContainerInfo PRODUCTION = ContainerInfos.production("c2", 1);
  private static final ContainerInfo MASTER = ContainerInfos.master("c3", 1);
  private static final ContainerInfo OPPORTUNISTIC_MASTER =
      new ContainerInfo(
          "c4",
          new Owner("alice", "application_1_0001"),
          ExecutionType.OPPORTUNISTIC,
          true,
          new JobKey("job"),
          1,
          1);

  private static final ProcessSettings SETTINGS = new ProcessSettings(-998, -999, true);

  @TempDir Path proc;

  @ParameterizedTest
  @ValueSource(strings = {"000001ffffffffff", "0000000001000000"})
  void aProcessThatMayLowerScoresProtectsProductionAndMasters(String capabilities)
      throws IOException {
    OomScores scores = withCapabilities(capabilities);

    assertThat(scores.scoreOf(TASK)).isEqualTo(1000);
    assertThat(scores.scoreOf(PRODUCTION)).isEqualTo(-998);
    assertThat(scores.scoreOf(MASTER)).isEqualTo(-999);
    assertThat(scores.scoreOf(OPPORTUNISTIC_MASTER)).isEqualTo(-999);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0000000000000000", "fffffffffeffffff", "", "what", "0x1000000"})
  void aProcessThatMayNotLeavesThemAtZero(String capabilities) throws IOException {
    assertUnprotected(withCapabilities(capabilities));
  }

  @Test
  void unknownCapabilitiesAreNone() {
    assertUnprotected(new OomScores(proc.resolve("missing"), SETTINGS));
  }

  @Test
  void onlyMastersKeepTheirPages() {
    assertThat(OomScores.swappinessOf(TASK)).isEqualTo(60);
    assertThat(OomScores.swappinessOf(PRODUCTION)).isEqualTo(60);
    assertThat(OomScores.swappinessOf(MASTER)).isZero();
  }

  @Test
  void aRunningProcessTakesTheScoreOfItsNewClass() throws Exception {
    OomScores scores = new OomScores(Path.of("/proc"), SETTINGS);
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      Path file = Path.of("/proc/" + process.pid() + "/oom_score_adj");
      assumeTrue(Files.exists(file), "no " + file);
      assertThat(scores.change(TASK, List.of(process.pid()))).isZero();
      assertThat(Files.readString(file).strip()).isEqualTo("1000");
      assertThat(scores.change(PRODUCTION, List.of(process.pid()))).isZero();
      assertThat(Files.readString(file).strip())
          .isEqualTo(Integer.toString(scores.scoreOf(PRODUCTION)));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void oneThatEndedIsNoFailureAndOneThatRefusesIs() throws IOException {
    OomScores scores = withCapabilities("0");
    Files.createDirectories(proc.resolve("7/oom_score_adj")); // writing to a directory fails
    assertThat(scores.change(TASK, List.of(7L, 8L))).isEqualTo(1);
  }

  private static void assertUnprotected(OomScores scores) {
    assertThat(scores.scoreOf(TASK)).isEqualTo(1000);
    assertThat(scores.scoreOf(PRODUCTION)).isZero();
    assertThat(scores.scoreOf(MASTER)).isZero();
  }

  private OomScores withCapabilities(String effective) throws IOException {
    Files.createDirectories(proc.resolve("self"));
    Files.writeString(
        proc.resolve("self/status"),
        "Name:\tjava\nCapInh:\t0000000001000000\nCapPrm:\t0000000001000000\nCapEff:\t"
            + effective
            + "\nCapBnd:\t000001ffffffffff\n");
    return new OomScores(proc, SETTINGS);
  }
}
