/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import static io.charon.sls.node.NodeHarness.GB;
import static io.charon.sls.node.NodeHarness.constant;
import static io.charon.sls.node.NodeHarness.growing;
import static io.charon.sls.node.NodeHarness.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.ExecutionType;
import io.charon.sls.workload.MemoryCurve;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Tests a node of 10 GB whose only killers are the limit and Linux. The reserve is 0.2 GB, and a
 * shortage of 0.05 GB is tolerated. Every expected time is computed by hand.
 */
class BestEffortLimitTest {
  private static final ExecutionType BEST_EFFORT = ExecutionType.OPPORTUNISTIC;
  private static final ExecutionType PRODUCTION = ExecutionType.GUARANTEED;

  private final NodeHarness node = new NodeHarness(10, 4, 10, new Limited());

  private static final class Limited extends NodeHarness.NoKills {
    @Override
    public Optional<BestEffortLimit> limit(NodeSize size, RandomGenerator random) {
      KillDelay delay = KillDelay.of(KillDelay.Profile.MEASURED, KillDelay.Tier.KERNEL);
      return Optional.of(new BestEffortLimit(size, delay, random));
    }
  }

  @Test
  void bestEffortIsKilledBeforeProductionThatGrowsIsSlowedDown() {
    node.request(task("best-effort", BEST_EFFORT, 5, 1, 900, constant(5, 0)));
    node.request(task("production", PRODUCTION, 8, 1, 1_000, growing(8)));
    node.runTo(2_000);
    // Production grows by 7.92 GB in 500 s. It leaves less than 5 GB and the reserve when it holds
    // 4.8 GB, and the shortage is not tolerated from 4.85 GB on.
    double killed = (4.85 - 0.08) / 7.92 * 500;
    assertThat(node.happened().get(2)).endsWith(" killed-by-memory-limit best-effort");
    assertThat(node.at("killed-by-memory-limit best-effort")).isBetween(killed, killed + 1.5);
    assertThat(node.happened()).endsWith("1000.0 completed production");
  }

  @Test
  void productionThatTakesItsMemoryAtOnceIsSlowedDownForAMomentOnly() {
    node.request(task("small", BEST_EFFORT, 2, 1, 900, constant(2, 0)));
    node.request(task("large", BEST_EFFORT, 4, 1, 900, constant(4, 0)));
    node.runTo(60);
    node.request(task("production", PRODUCTION, 6, 1, 100, constant(6, 0)));
    node.runTo(300);
    // 2.2 GB are due: the death of the small one would not do.
    assertThat(node.happened().get(3)).isEqualTo("60.4 killed-by-memory-limit large");
    assertThat(node.count("killed-by-memory-limit")).isEqualTo(1);
    assertThat(node.at("completed production")).isBetween(160.0, 161.0);
  }

  @Test
  void theSmallestContainerWhoseDeathIsEnoughDies() {
    node.request(task("small", BEST_EFFORT, 2, 1, 900, constant(2, 0)));
    node.request(task("large", BEST_EFFORT, 4, 1, 900, constant(4, 0)));
    node.runTo(60);
    node.request(task("production", PRODUCTION, 5, 1, 100, constant(5, 0)));
    node.runTo(100);
    assertThat(node.happened().get(3)).endsWith(" killed-by-memory-limit small");
    assertThat(node.count("killed-by-memory-limit")).isEqualTo(1);
  }

  @Test
  void bestEffortThatGrowsIntoItsLimitIsKilledByLinux() {
    node.request(task("production", PRODUCTION, 4, 1, 1_000, constant(4, 0)));
    node.request(task("still", BEST_EFFORT, 1, 1, 2_000, constant(1, 0)));
    node.request(task("grows", BEST_EFFORT, 1, 1, 1_000, growing(8)));
    node.runTo(900);
    // 5.8 GB are left for best-effort.
    double reached = (4.8 - 0.08) / 7.92 * 500;
    assertThat(node.happened().get(3)).endsWith(" killed-by-linux-oom grows");
    assertThat(node.at("killed-by-linux-oom grows")).isBetween(reached, reached + 2);
    assertThat(node.count("killed-by-memory-limit")).isZero();
  }

  @Test
  void bestEffortsPageCacheIsTakenWithoutAKill() {
    node.request(task("reader", BEST_EFFORT, 7, 1, 100, constant(2, 5)));
    node.request(task("production", PRODUCTION, 5, 1, 1_000, constant(5, 0)));
    node.runTo(2_000);
    // Its limit is 4.8 GB: 2.8 of 5 GB of its file pages are left.
    double slowdown = 1 + 5.0 / 7 * (NodeHarness.THRASH.file().slowdown(5 / 2.8) - 1);
    assertThat(node.happened().get(2)).endsWith(" completed reader");
    assertThat(node.at("completed reader")).isCloseTo(100 * slowdown, Offset.offset(0.1));
    assertThat(node.happened()).endsWith("1000.0 completed production");
  }

  @Test
  void pageCacheThatProductionReadsOnceIsProtectedWithinItsReservation() {
    MemoryCurve reads = new MemoryCurve(List.of(new MemoryCurve.Point(0, 2 * GB, 0, 4 * GB)));
    node.request(task("within", PRODUCTION, 6, 1, 1_000, reads));
    node.runTo(20);
    node.request(task("best-effort", BEST_EFFORT, 5, 1, 100, constant(1, 0)));
    node.runTo(30);
    assertThat(node.count("started")).isEqualTo(1);
    assertThat(node.node().availableBytes()).isGreaterThan(7 * GB);
  }

  @Test
  void theLimitRisesByTwoPercentASecond() {
    node.request(task("production", PRODUCTION, 6, 1, 100, constant(6, 0)));
    node.runTo(50);
    node.request(task("waits", BEST_EFFORT, 5, 1, 10, constant(1, 0)));
    node.runTo(200);
    // From 3.8 to 5 GB it takes 6 s; the node is read each second.
    assertThat(node.happened().get(2)).endsWith(" started waits");
    assertThat(node.at("started waits")).isBetween(106.0, 107.5);
  }

  @Test
  void theLimitRisesWhileNothingHappensOnTheNode() {
    node.request(task("production", PRODUCTION, 6, 1, 100, constant(6, 0)));
    node.runTo(3_600);
    node.request(task("starts", BEST_EFFORT, 9, 1, 10, constant(1, 0)));
    assertThat(node.count("started")).isEqualTo(2);
  }

  @Test
  void whatProductionThatHasJustStartedWillNeedIsNotGivenToBestEffort() {
    node.runTo(100);
    node.request(task("production", PRODUCTION, 8, 1, 100, constant(1, 0)));
    node.runTo(101.5);
    node.request(task("waits", BEST_EFFORT, 4, 1, 10, constant(1, 0)));
    node.runTo(200);
    assertThat(node.happened().get(1)).endsWith(" started waits");
    assertThat(node.at("started waits")).isBetween(110.0, 112.0);
  }

  @Test
  void launchesWaitAfterAKill() {
    node.request(task("dies", BEST_EFFORT, 5, 1, 900, constant(5, 0)));
    node.runTo(60);
    node.request(task("production", PRODUCTION, 6, 1, 1, constant(6, 0)));
    node.runTo(61);
    node.request(task("waits", BEST_EFFORT, 1, 1, 10, constant(1, 0)));
    node.runTo(100);
    assertThat(node.happened().get(2)).isEqualTo("60.4 killed-by-memory-limit dies");
    assertThat(node.happened().get(4)).endsWith(" started waits");
    assertThat(node.at("started waits")).isBetween(65.1, 66.5);
  }
}
