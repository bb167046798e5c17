/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict.Reason;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.Owner;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.TestSettings;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the memory that running containers are charged with, by the configured estimate. */
@Tag("hadoop")
class LocalSchedulersTest {
  private static final long SECOND = 1_000_000_000;

  /** Runs a container that requested 400 for two minutes with 100, on a node of 1000. */
  private static LocalScheduler afterTwoMinutes(String estimate) {
    LocalScheduler scheduler =
        LocalSchedulers.bySnapshot(TestSettings.of("scheduler.estimate", estimate));
    scheduler.observed(new NodeMemory(1000, 1000), Map.of(), 0);
    scheduler.request(
        new LaunchRequest(
            "a", ExecutionType.OPPORTUNISTIC, new JobKey("j"), new Owner("u", "1"), 400),
        0);
    for (long seconds = 60; seconds <= 120; seconds += 60) {
      scheduler.observed(new NodeMemory(1000, 900), Map.of("a", 100L), seconds * SECOND);
    }
    return scheduler;
  }

  @Test
  void aPeakIsHeldForAsLongAsAContainerLives() {
    assertThat(afterTwoMinutes("peak").launchableBytes()).isEqualTo(600);
  }

  @Test
  void byGrowthOneThatHasSettledGivesBackWhatItDoesNotUse() {
    // The margin is 5 % of the node, and the container keeps two tenths of its use.
    assertThat(afterTwoMinutes("growth").launchableBytes()).isEqualTo(900 - 50 - 20);
  }

  @Test
  void byGrowthEachKillWidensTheMargin() {
    LocalScheduler scheduler = afterTwoMinutes("growth");
    scheduler.killedForMemory(120 * SECOND);
    assertThat(scheduler.launchableBytes()).isEqualTo(900 - 60 - 20);
  }

  @Test
  void theMarginNarrowsWhileAContainerWaitsWhateverTheTickIs() {
    LocalScheduler scheduler =
        LocalSchedulers.bySnapshot(
            TestSettings.of("node.tick-ms", "20000", "scheduler.kills-per-hour", "60"));
    LaunchRequest waits =
        new LaunchRequest(
            "a", ExecutionType.OPPORTUNISTIC, new JobKey("j"), new Owner("u", "1"), 1000);
    for (int tick = 0; tick <= 3; tick++) {
      scheduler.observed(new NodeMemory(1000, 500), Map.of(), 20L * tick * SECOND);
      scheduler.request(waits, 20L * tick * SECOND);
    }
    // A minute of waiting outweighs one of sixty kills per hour: 1 % of the node.
    assertThat(scheduler.launchableBytes()).isEqualTo(500 - 50 + 10);
  }

  /** The paper's baseline: it disregards the processors, and has no limit but its threshold. */
  @Test
  void byThresholdOneStartsForEachReadingThatLeavesTheShareFree() {
    CharonSettings settings =
        TestSettings.of("scheduler.starts-per-core", "1", "scheduler.runnable-per-core", "1");
    LocalScheduler scheduler = LocalSchedulers.byThreshold(settings.scheduler(), 10);
    scheduler.processors().seen(1, 100);
    scheduler.observed(new NodeMemory(1000, 500), Map.of(), 0);
    assertThat(scheduler.launchableBytes()).isEqualTo(400);
    assertThat(ask(scheduler, "a", 399)).isEqualTo(Reason.FITS);
    assertThat(ask(scheduler, "b", 1)).isEqualTo(Reason.ONE_AT_A_TIME);

    scheduler.observed(new NodeMemory(1000, 500), Map.of(), SECOND);
    assertThat(ask(scheduler, "b", 1)).isEqualTo(Reason.FITS);

    scheduler.observed(new NodeMemory(1000, 150), Map.of(), 2 * SECOND);
    assertThat(ask(scheduler, "c", 50)).isEqualTo(Reason.MEMORY);
    scheduler.observed(new NodeMemory(1000, 151), Map.of(), 3 * SECOND);
    assertThat(ask(scheduler, "c", 50)).isEqualTo(Reason.FITS);
  }

  private static Reason ask(LocalScheduler scheduler, String containerId, long bytes) {
    return scheduler
        .request(
            new LaunchRequest(
                containerId,
                ExecutionType.OPPORTUNISTIC,
                new JobKey("j"),
                new Owner("u", "1"),
                bytes),
            3 * SECOND)
        .verdict()
        .reason();
  }
}
