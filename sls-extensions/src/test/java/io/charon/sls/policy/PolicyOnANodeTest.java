/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.policy;

import static io.charon.sls.node.NodeHarness.constant;
import static io.charon.sls.node.NodeHarness.growing;
import static io.charon.sls.node.NodeHarness.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.law.CpuBurst;
import io.charon.core.law.MemoryReserve;
import io.charon.core.law.ReserveRegulator;
import io.charon.core.mechanism.Availability;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.FullQueue;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchDecision.Outcome;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.Owner;
import io.charon.sls.node.ContainerPlan;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.NodeHarness;
import io.charon.sls.node.NodeMechanism;
import io.charon.sls.node.NodePolicy;
import io.charon.sls.workload.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests each policy on one small node; the expected results are computed by hand. */
class PolicyOnANodeTest {
  private static final ExecutionType BEST_EFFORT = ExecutionType.OPPORTUNISTIC;
  private static final ExecutionType PRODUCTION = ExecutionType.GUARANTEED;
  private static final KillDelay KERNEL_DELAY =
      KillDelay.of(KillDelay.Profile.MEASURED, KillDelay.Tier.KERNEL);
  private static final List<Policy> SHIPPED_QUEUES =
      List.of(
          Policy.CHARON,
          Policy.CHARON_ANY_PROCESSORS,
          Policy.CHARON_NO_LIMIT,
          Policy.CHARON_NO_CGROUPS,
          Policy.THRESHOLD_FAIR,
          Policy.THRESHOLD_LIMIT);

  /** Policies whose queue is in order of arrival. */
  private static final List<Policy> OTHER_QUEUES =
      List.of(Policy.CHARON_PEAKS, Policy.CHARON_GROWTH, Policy.THRESHOLD);

  private static List<Policy> with(List<Policy> some, List<Policy> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private static NodeHarness node(long memoryGb, Policy policy) {
    return new NodeHarness(
        memoryGb, 32, 10, policy.onNodes(PolicySettings.defaults(KillDelay.Profile.MEASURED)));
  }

  /** The paper's example (section 4.2): 10 GB free, ten tasks that start small and peak at 4 GB. */
  private static NodeHarness overkilling(Policy policy) {
    NodeHarness node = node(10, policy);
    for (int i = 0; i < 10; i++) {
      node.request(task("t" + i, BEST_EFFORT, 4, 1, 400, growing(4)));
    }
    return node;
  }

  @Test
  void charonStartsTwoOfTheTenAndKillsNone() {
    NodeHarness node = overkilling(Policy.CHARON_PEAKS);
    assertThat(node.count("started")).isEqualTo(2);
    assertThat(node.node().queueLength()).isEqualTo(8);
    node.runTo(2_100);
    assertThat(node.count("completed")).isEqualTo(10);
    assertThat(node.count("killed-by-thrash")).isZero();
  }

  @Test
  void onlyTheStartLimitSpreadsStartsOverTime() {
    for (Policy policy : List.of(Policy.CHARON_PEAKS, Policy.CHARON_START_LIMIT)) {
      NodeHarness node =
          new NodeHarness(
              10, 2, 10, policy.onNodes(PolicySettings.defaults(KillDelay.Profile.MEASURED)));
      for (int i = 0; i < 5; i++) {
        node.request(task("t" + i, BEST_EFFORT, 1, 0.1, 400, constant(1, 0)));
      }
      boolean limited = policy == Policy.CHARON_START_LIMIT;
      assertThat(node.count("started")).as(policy.key()).isEqualTo(limited ? 2 : 5);
      node.runTo(1.4);
      assertThat(node.count("started")).as(policy.key()).isEqualTo(limited ? 2 : 5);
      node.runTo(2.5);
      assertThat(node.count("started")).as(policy.key()).isEqualTo(limited ? 4 : 5);
      node.runTo(5);
      assertThat(node.count("started")).as(policy.key()).isEqualTo(5);
    }
  }

  @Test
  void whatTheUserSpaceKillerKeepsFreeIsNotOffered() {
    // Ten gigabytes hold two tasks of 5, but not with a tenth kept free.
    for (Policy policy :
        List.of(Policy.CHARON_PEAKS, Policy.CHARON_USER_SPACE_KILLER, Policy.CHARON_NO_CGROUPS)) {
      NodeHarness node = node(10, policy);
      node.request(task("first", BEST_EFFORT, 5, 1, 400, constant(5, 0)));
      node.request(task("second", BEST_EFFORT, 5, 1, 400, constant(5, 0)));
      assertThat(node.count("started"))
          .as(policy.key())
          .isEqualTo(policy == Policy.CHARON_PEAKS ? 2 : 1);
    }
  }

  @Test
  void withoutTheSnapshotAllTenStartAndEightAreKilled() {
    for (Policy policy : List.of(Policy.CHARON_NO_SNAPSHOT, Policy.CHARON_NO_SNAPSHOT_NO_DELAY)) {
      NodeHarness node = overkilling(policy);
      assertThat(node.count("started")).as(policy.key()).isEqualTo(10);
      node.runTo(2_100);
      assertThat(node.count("killed-by-thrash")).as(policy.key()).isEqualTo(8);
      assertThat(node.count("completed")).as(policy.key()).isEqualTo(2);
    }
  }

  @Test
  void theOracleEndsNoLaterThanCharon() {
    NodeHarness oracle = overkilling(Policy.ORACLE);
    NodeHarness charon = overkilling(Policy.CHARON_PEAKS);
    for (double seconds = 1; seconds <= 2_500; seconds++) {
      oracle.runTo(seconds);
      oracle.goOnWithKilled();
      charon.runTo(seconds);
    }
    assertThat(oracle.count("completed")).isEqualTo(10);
    assertThat(lastSeconds(oracle)).isLessThanOrEqualTo(lastSeconds(charon));
  }

  @Test
  void afterAKillLaunchesWaitUnlessTheDelayIsOff() {
    NodeHarness charon = killedAfterAMinute(Policy.CHARON_PEAKS);
    assertThat(charon.request(task("small", BEST_EFFORT, 1, 1, 900, constant(1, 0))))
        .isEqualTo(Outcome.QUEUED);
    charon.runTo(90);
    // Decided at 63.1 s at the latest, after 3 s of thrash and one period.
    assertThat(charon.at("started small")).isBetween(68.0, 68.2);
    for (Policy policy : List.of(Policy.CHARON_NO_DELAY, Policy.CHARON_NO_SNAPSHOT_NO_DELAY)) {
      NodeHarness undelayed = killedAfterAMinute(policy);
      assertThat(undelayed.request(task("small", BEST_EFFORT, 1, 1, 900, constant(1, 0))))
          .as(policy.key())
          .isEqualTo(Outcome.LAUNCHED);
    }
  }

  /** After a minute, production needs 8 of 10 GB; the best-effort task that uses 4 GB is killed. */
  private static NodeHarness killedAfterAMinute(Policy policy) {
    NodeHarness node = node(10, policy);
    node.request(task("large", BEST_EFFORT, 4, 1, 900, constant(4, 0)));
    node.runTo(60);
    node.request(task("production", PRODUCTION, 8, 1, 900, constant(8, 0)));
    node.runTo(66);
    assertThat(node.at("killed-by-thrash large")).isBetween(63.0, 66.0);
    return node;
  }

  @Test
  void startsWaitForProcessorsUnlessTheyDoNotMatter() {
    for (Policy policy : List.of(Policy.CHARON, Policy.CHARON_ANY_PROCESSORS)) {
      NodeHarness node = node(100, policy); // 32 cores
      node.request(task("production", PRODUCTION, 1, 32, 100, constant(1, 0)));
      node.request(task("first", BEST_EFFORT, 1, 32, 1_000, constant(1, 0)));
      node.request(task("second", BEST_EFFORT, 1, 32, 1_000, constant(1, 0)));
      node.request(task("third", BEST_EFFORT, 1, 32, 1_000, constant(1, 0)));
      node.runTo(50);
      // With the second container, 96 threads want to run on 32 cores.
      boolean waits = policy == Policy.CHARON;
      assertThat(node.count("started")).as(policy.key()).isEqualTo(waits ? 3 : 4);
      node.runTo(102);
      assertThat(node.count("started")).as(policy.key()).isEqualTo(4);
    }
  }

  /** The next one needs 70 of 128 GB, while the first could still grow by 60 by its request. */
  @Test
  void aContainerSettlesWhileNoneWaits() {
    NodeHarness node = node(128, Policy.CHARON_GROWTH);
    node.request(task("settled", BEST_EFFORT, 70, 1, 2_000, constant(10, 0)));
    node.runTo(1_000);
    assertThat(node.request(task("next", BEST_EFFORT, 70, 1, 100, constant(10, 0))))
        .isEqualTo(Outcome.LAUNCHED);
  }

  /** Production grows until 76 of 100 GB are used; without the newest container it is 58. */
  @Test
  void evictionAboveALineEndsTheNewestContainersAndKeepsThemFromStartingAgain() {
    for (Policy policy : List.of(Policy.CHARON, Policy.CHARON_EVICT_LINE)) {
      NodeHarness node = node(100, policy);
      node.request(task("production", PRODUCTION, 40, 1, 2_000, constant(30, 0)));
      node.request(task("older", BEST_EFFORT, 20, 1, 2_000, growing(20)));
      node.request(task("newer", BEST_EFFORT, 18, 1, 2_000, growing(18)));
      node.request(task("production2", PRODUCTION, 10, 1, 2_000, growing(8)));
      node.runTo(1_500);
      boolean evicts = policy == Policy.CHARON_EVICT_LINE;
      assertThat(node.count("killed-by-evict-line")).as(policy.key()).isEqualTo(evicts ? 1 : 0);
      assertThat(
              node.happened().stream()
                  .anyMatch(line -> line.endsWith("killed-by-evict-line newer")))
          .as(policy.key())
          .isEqualTo(evicts);
      node.request(task("next", BEST_EFFORT, 18, 1, 2_000, growing(18)));
      node.runTo(1_600);
      assertThat(node.happened().stream().anyMatch(line -> line.endsWith("started next")))
          .as("%s: of 68 GB, 58 are used", policy.key())
          .isEqualTo(!evicts);
    }
  }

  /**
   * At the line, two of 100 GB have to be given back. The newest container has 1.5 of them, and
   * page cache that is available anyway.
   */
  @Test
  void evictionAboveALineCountsNoPageCache() {
    NodeHarness node = node(100, Policy.CHARON_EVICT_LINE);
    node.request(task("production", PRODUCTION, 40, 1, 2_000, constant(30, 0)));
    node.request(task("older", BEST_EFFORT, 10, 1, 2_000, constant(10, 0)));
    node.request(task("newer", BEST_EFFORT, 12, 1, 2_000, constant(1.5, 10)));
    node.request(task("production2", PRODUCTION, 40, 1, 2_000, growing(30)));
    node.runTo(1_500);
    assertThat(node.count("killed-by-evict-line")).isEqualTo(2);
  }

  /**
   * Of 32 cores, 20.8 are below the line and production uses 16, so that 4.8 of the 16 that
   * best-effort could use are left. The first reading has no value yet: one second without a quota.
   * Then 0.1 cores until the window of 15 s is full, 3.2 more in the next second, then the line.
   */
  @Test
  void belowAWaterLineBestEffortGetsTheProcessorsThatProductionLeaves() {
    for (Policy policy : List.of(Policy.CHARON, Policy.CHARON_WATER_LINE)) {
      NodeHarness node = node(100, policy);
      node.request(task("production", PRODUCTION, 40, 16, 2_000, constant(30, 0)));
      node.request(task("one", BEST_EFFORT, 10, 8, 100, constant(5, 0)));
      node.request(task("two", BEST_EFFORT, 10, 8, 100, constant(5, 0)));
      node.runTo(2_000);
      double usedBeforeTheLine = 16 + 15 * 0.1 + 3.3;
      double seconds = policy == Policy.CHARON ? 100 : 17 + (2 * 8 * 100 - usedBeforeTheLine) / 4.8;
      assertThat(node.at("completed one")).as(policy.key()).isCloseTo(seconds, within(0.05));
      assertThat(node.at("completed two")).as(policy.key()).isCloseTo(seconds, within(0.05));
      assertThat(node.at("completed production")).as(policy.key()).isEqualTo(2_000.0);
    }
  }

  /**
   * Production leaves 2 of 32 cores, of which four containers ask for one each: at half of them,
   * 1.2 vcores are to be released once the window of 60 s is full, which takes two containers. The
   * others then have a core each.
   */
  @Test
  void starvedBestEffortIsEvictedUntilTheOthersHaveTheirProcessors() {
    for (Policy policy : List.of(Policy.CHARON, Policy.CHARON_EVICT_SATISFACTION)) {
      NodeHarness node = node(100, policy);
      node.request(task("production", PRODUCTION, 40, 30, 2_000, constant(30, 0)));
      for (int i = 1; i <= 4; i++) {
        node.request(task("task" + i, BEST_EFFORT, 5, 1, 500, constant(4, 0)));
      }
      node.runTo(200);
      assertThat(node.count("killed-by-evict-satisfaction"))
          .as(policy.key())
          .isEqualTo(policy == Policy.CHARON ? 0 : 2);
    }
  }

  @Test
  void noBestEffortStartsBeforeProductionsReserveIsKnown() {
    for (Policy policy : List.of(Policy.CHARON, Policy.CHARON_MEMORY_RESERVE)) {
      NodeHarness node = node(100, policy);
      node.request(task("production", PRODUCTION, 50, 1, 2_000, constant(40, 0)));
      node.request(task("best-effort", BEST_EFFORT, 10, 1, 100, constant(10, 0)));
      node.runTo(500);
      assertThat(node.at("started best-effort"))
          .as("%s: once the window of 60 s is full", policy.key())
          .isEqualTo(policy == Policy.CHARON ? 0.0 : 60.0);
    }
  }

  /**
   * Production grows by 0.198 GB a second, from 0.8 to 80 GB. The first 60 samples have a mean of
   * 6.84 GB and a deviation of 3.458. When use passes mean and two deviations, it becomes the mean:
   * at 66 s, then every 35 s. At 346 s it is 69.31 GB, so that 23.8 are left to the 30 that
   * best-effort holds, and at 381 s it is 76.24, so that 16.8 are left to 20.
   */
  @Test
  void theMemoryRegulatorEndsTheNewestWhenProductionsReserveReachesThem() {
    NodeHarness node =
        new NodeHarness(
            100,
            32,
            10,
            new NodeHarness.NoKills() {
              @Override
              public Optional<NodeMechanism> mechanism(RandomGenerator random) {
                return Optional.of(
                    new NodeMechanism(
                        new MemoryReserve(ReserveRegulator.memoryDefaults()),
                        KERNEL_DELAY,
                        random));
              }
            });
    node.request(task("production", PRODUCTION, 80, 1, 800, growing(80)));
    for (String id : List.of("one", "two", "three")) {
      node.request(task(id, BEST_EFFORT, 10, 1, 2_000, constant(10, 0)));
    }
    node.runTo(700);
    assertThat(node.at("killed-by-memory three")).isCloseTo(346, within(1.0));
    assertThat(node.at("killed-by-memory two")).isCloseTo(381, within(1.0));
    assertThat(node.count("killed-by-memory")).isEqualTo(2);
  }

  @Test
  void aMechanismWhoseReadingsANodeLacksIsRefused() {
    assertThatThrownBy(
            () ->
                new NodeMechanism(
                    new CpuBurst(2, Availability.available()), KERNEL_DELAY, new Random(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cpu-burst, which needs [ContainerBandwidths] and sets [CPU_BURST]");
  }

  @Test
  void onlyALimitTakesMemoryBackBeforeProductionIsSlowedDown() {
    for (Policy policy :
        List.of(
            Policy.CHARON, Policy.CHARON_NO_LIMIT, Policy.CHARON_PEAKS, Policy.THRESHOLD_LIMIT)) {
      NodeHarness node = node(10, policy);
      node.request(task("best-effort", BEST_EFFORT, 4, 1, 2_000, constant(4, 0)));
      node.request(task("production", PRODUCTION, 9, 1, 1_000, growing(9)));
      node.runTo(3_000);
      boolean limited = policy == Policy.CHARON || policy == Policy.THRESHOLD_LIMIT;
      assertThat(node.count("killed-by-memory-limit")).as(policy.key()).isEqualTo(limited ? 1 : 0);
      assertThat(node.count("killed-by-thrash")).as(policy.key()).isEqualTo(limited ? 0 : 1);
      assertThat(node.at("completed production") == 1_000.0).as(policy.key()).isEqualTo(limited);
    }
  }

  /** Paper, section 5.6: a queue that one large job fills rejects all other applications. */
  @Test
  void onlyAFairQueueHasAPlaceForASecondApplication() {
    List<Policy> fairQueues = new ArrayList<>(SHIPPED_QUEUES);
    fairQueues.add(Policy.CHARON_FAIR);
    for (Policy policy : with(fairQueues, OTHER_QUEUES)) {
      NodeHarness node = node(10, policy);
      for (int i = 0; i < 12; i++) {
        node.request(task("large" + i, BEST_EFFORT, 4, 1, 100, constant(4, 0)));
      }
      assertThat(node.node().queueLength()).isEqualTo(10);
      Outcome outcome =
          node.request(ofAnotherApplication(task("small", BEST_EFFORT, 4, 1, 100, constant(4, 0))));
      node.runTo(150);
      boolean fair = fairQueues.contains(policy);
      assertThat(outcome).isEqualTo(fair ? Outcome.QUEUED : Outcome.REJECTED);
      assertThat(node.count("displaced")).isEqualTo(fair ? 1 : 0);
      assertThat(node.happened().stream().anyMatch(line -> line.endsWith(" started small")))
          .isEqualTo(fair);
    }
  }

  @Test
  void aFullFairQueueOfYarnsOwnNodeManagerRejectsASecondApplication() {
    PolicySettings settings = PolicySettings.defaults(KillDelay.Profile.MEASURED);
    for (NodePolicy policy :
        List.of(
            Policy.CHARON_DROP_IN.onNodes(settings),
            Policy.CHARON.onNodes(settings.withoutDisplacement()))) {
      NodeHarness node = new NodeHarness(10, 32, 10, policy);
      for (int i = 0; i < 12; i++) {
        node.request(task("large" + i, BEST_EFFORT, 4, 1, 100, constant(4, 0)));
      }
      assertThat(node.node().queueLength()).isEqualTo(10);
      assertThat(node.node().canDisplace(0)).isFalse();
      assertThat(
              node.request(
                  ofAnotherApplication(task("small", BEST_EFFORT, 4, 1, 100, constant(4, 0)))))
          .isEqualTo(Outcome.REJECTED);
      assertThat(node.count("displaced")).isZero();
    }
  }

  /** As on a real node, so that YARN does not offer it the next container with each heartbeat. */
  @Test
  void aFullFairQueueThatCouldDisplaceNobodyIsClosedForAWhile() {
    NodeHarness node = node(10, Policy.CHARON);
    for (int i = 0; i < 12; i++) {
      node.request(task("large" + i, BEST_EFFORT, 4, 1, 100, constant(4, 0)));
    }
    assertThat(node.node().canDisplace(0)).isTrue();

    Outcome ofTheLargest = node.request(task("large12", BEST_EFFORT, 4, 1, 100, constant(4, 0)));

    assertThat(ofTheLargest).isEqualTo(Outcome.REJECTED);
    assertThat(node.node().canDisplace(FullQueue.CLOSED.toNanos() - 1)).isFalse();
    assertThat(node.node().canDisplace(FullQueue.CLOSED.toNanos())).isTrue();
    node.request(ofAnotherApplication(task("small", BEST_EFFORT, 4, 1, 100, constant(4, 0))));
    assertThat(node.node().canDisplace(0)).as("another one has got a place").isTrue();
  }

  @Test
  void onlyShippedQueuesHandBackContainersThatWaitedForFiveMinutes() {
    for (Policy policy : with(SHIPPED_QUEUES, OTHER_QUEUES)) {
      NodeHarness node = node(10, policy);
      for (String id : List.of("first", "second", "third")) {
        node.request(task(id, BEST_EFFORT, 4, 1, 1000, constant(4, 0)));
      }
      node.runTo(600);
      boolean handsBack = SHIPPED_QUEUES.contains(policy);
      assertThat(node.count("handed")).isEqualTo(handsBack ? 1 : 0);
      assertThat(node.happened().contains("300.0 handed back third")).isEqualTo(handsBack);
      assertThat(node.node().queueLength()).isEqualTo(handsBack ? 0 : 1);
    }
  }

  private static ContainerPlan ofAnotherApplication(ContainerPlan plan) {
    return with(plan, plan.request().job(), new Owner("bob", "application_2"));
  }

  private static ContainerPlan with(ContainerPlan plan, JobKey job, Owner owner) {
    return new ContainerPlan(
        new LaunchRequest(plan.id(), plan.executionType(), job, owner, plan.requestedBytes()),
        plan.work());
  }

  @Test
  void profiledPeaksAreBelievedUnlessOnlyRequestsAre() {
    // Three tasks show that 1 of the requested 4 GB is used; then ten fit instead of two.
    assertThat(startedOnceThreeAreKnown(Policy.CHARON_PEAKS)).isEqualTo(10);
    assertThat(startedOnceThreeAreKnown(Policy.CHARON_REQUEST)).isEqualTo(2);
  }

  @Test
  void aHistoryOfRecurringJobsKnowsPeaksFromTheFirstTaskOn() {
    for (Policy policy : List.of(Policy.CHARON_PEAKS, Policy.CHARON_PROFILED)) {
      NodeHarness node = node(10, policy);
      for (int i = 0; i < 5; i++) {
        node.request(task("new" + i, BEST_EFFORT, 4, 1, 900, constant(1, 1)));
      }
      assertThat(node.count("started")).isEqualTo(policy == Policy.CHARON_PEAKS ? 2 : 5);
    }
  }

  @Test
  void jobsOfOneUserAndSizeHavePeaksOfTheirOwnOnlyByName() {
    for (Policy policy : List.of(Policy.CHARON_PEAKS, Policy.CHARON_NO_NAMES)) {
      NodeHarness node = node(10, policy);
      for (int i = 0; i < 3; i++) {
        node.request(named("small", task("small" + i, BEST_EFFORT, 4, 1, 10, constant(1, 0))));
        node.runTo(20 * (2 * i + 1));
        node.request(named("large", task("large" + i, BEST_EFFORT, 4, 1, 10, constant(4, 0))));
        node.runTo(20 * (2 * i + 2));
      }
      long before = node.count("started");
      for (int i = 0; i < 5; i++) {
        node.request(named("small", task("next" + i, BEST_EFFORT, 4, 1, 900, constant(1, 0))));
      }
      node.runTo(150);
      // Without names the 95th percentile is 4 GB, and two of these fit.
      assertThat(node.count("started") - before)
          .isEqualTo(policy == Policy.CHARON_NO_NAMES ? 2 : 5);
    }
  }

  @Test
  void aKnownPeakIncludesPageCacheThatIsUsedAgain() {
    // Two tasks of 3 GB and a gigabyte of page cache that is used repeatedly; a third would thrash.
    for (double file : new double[] {0, 1}) {
      NodeHarness node = node(10, Policy.CHARON_PROFILED);
      for (int i = 0; i < 3; i++) {
        node.request(task("t" + i, BEST_EFFORT, 5, 1, 900, constant(3, file)));
      }
      node.runTo(100);
      assertThat(node.count("started")).isEqualTo(file == 0 ? 3 : 2);
      assertThat(node.count("killed-by-thrash")).isZero();
    }
  }

  private static ContainerPlan named(String name, ContainerPlan plan) {
    LaunchRequest request = plan.request();
    return with(plan, request.job().narrowed("best-effort", name), request.owner());
  }

  private static long startedOnceThreeAreKnown(Policy policy) {
    NodeHarness node = node(10, policy);
    for (int i = 0; i < 3; i++) {
      node.request(task("known" + i, BEST_EFFORT, 4, 1, 10, constant(1, 0)));
      node.runTo(20 * (i + 1));
    }
    node.request(task("first", BEST_EFFORT, 4, 1, 900, constant(1, 0)));
    long before = node.count("started");
    for (int i = 0; i < 9; i++) {
      node.request(task("next" + i, BEST_EFFORT, 4, 1, 900, constant(1, 0)));
    }
    node.runTo(80);
    return node.count("started") - before + 1;
  }

  @Test
  void theUserSpaceKillerActsOnLowMemoryBeforeAnyContainerThrashes() {
    NodeHarness node = node(10, Policy.CHARON_USER_SPACE_KILLER);
    node.request(task("old", BEST_EFFORT, 2, 1, 900, constant(2, 0)));
    node.runTo(10);
    node.request(task("young", BEST_EFFORT, 2, 1, 900, constant(2, 0)));
    node.runTo(20);
    node.request(task("production", PRODUCTION, 6, 1, 900, constant(5.5, 0)));
    node.runTo(40);
    assertThat(node.happened()).noneMatch(line -> line.contains("thrash"));
    assertThat(node.count("killed-by-low-memory")).isEqualTo(1);
    assertThat(node.at("killed-by-low-memory young")).isBetween(20.0, 25.0);
  }

  /**
   * Production requests 6 of 10 GB. With a tenth kept free, three of four tasks of 2 GB must be
   * killed.
   */
  @Test
  void theThresholdKillsUntilProductionHasRoom() {
    NodeHarness node = node(10, Policy.THRESHOLD);
    for (int i = 0; i < 4; i++) {
      node.request(task("t" + i, BEST_EFFORT, 2, 1, 900, constant(2, 0)));
      node.runTo(i + 1);
    }
    node.request(task("production", PRODUCTION, 6, 1, 900, constant(0.1, 0)));
    node.runTo(10);
    assertThat(node.count("killed-by-low-memory")).isEqualTo(3);
    assertThat(node.happened()).noneMatch(line -> line.contains("killed-by-low-memory t0"));
  }

  @Test
  void theThresholdStartsOneRequestPerReadingWhileATenthStaysFree() {
    NodeHarness node = node(10, Policy.THRESHOLD);
    for (int i = 0; i < 5; i++) {
      node.request(task("t" + i, BEST_EFFORT, 3.1, 1, 900, constant(3.1, 0)));
    }
    assertThat(node.count("started")).isEqualTo(1);
    node.runTo(0.5);
    // 10 - 3.1 minus 3.1 leaves more than 1; 10 - 6.2 minus 3.1 does not.
    assertThat(node.count("started")).isEqualTo(2);
  }

  @Test
  void stockYarnReservesRequestsAndMakesWayForProduction() {
    NodeHarness node = node(10, Policy.STOCK_YARN);
    for (int i = 0; i < 3; i++) {
      node.request(task("t" + i, BEST_EFFORT, 4, 1, 900, constant(0.1, 0)));
      node.runTo(i + 1);
    }
    // 4 + 4 of 9 GB are reserved, although little is used.
    assertThat(node.count("started")).isEqualTo(2);
    node.request(task("production", PRODUCTION, 4, 1, 900, constant(0.1, 0)));
    node.runTo(10);
    assertThat(node.count("killed-by-reservation")).isEqualTo(1);
    assertThat(node.at("killed-by-reservation t1")).isBetween(3.0, 7.0);
    assertThat(node.count("started")).isEqualTo(3);
  }

  @Test
  void theOracleForeseesProductionsGrowthAndStartsWhatFitsUntilThen() {
    // Production needs 4.9 GB now, 6.1 in a minute and all 10 in the end.
    NodeHarness node = node(10, Policy.ORACLE);
    node.request(task("production", PRODUCTION, 10, 1, 1_000, growing(10)));
    node.runTo(240);
    assertThat(node.request(task("large", BEST_EFFORT, 4, 1, 900, constant(4, 0))))
        .isEqualTo(Outcome.QUEUED);
    node.request(task("small", BEST_EFFORT, 2.5, 1, 900, constant(2.5, 0)));
    node.runTo(300);
    assertThat(node.at("started small")).isBetween(240.0, 241.0);
    // Its memory is released when production has 7.5 GB.
    node.runTo(400);
    assertThat(node.at("killed-by-oracle small")).isBetween(373.0, 375.0);
    node.goOnWithKilled();
    node.runTo(999);
    assertThat(node.count("started")).isEqualTo(2);
    node.runTo(3_000);
    assertThat(node.at("completed small")).isBetween(1_764.0, 1_768.0);
  }

  @Test
  void onlyTheWantedSideRunsAlone() {
    assertThat(Policy.PRODUCTION_ALONE.runs(Side.BEST_EFFORT)).isFalse();
    assertThat(Policy.PRODUCTION_ALONE.runs(Side.PRODUCTION)).isTrue();
    assertThat(Policy.BEST_EFFORT_ALONE.runs(Side.PRODUCTION)).isFalse();
    assertThat(Policy.THRESHOLD.runs(Side.PRODUCTION) && Policy.THRESHOLD.runs(Side.BEST_EFFORT))
        .isTrue();
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void everyPolicyHasANameAndNeverKillsProduction(Policy policy) {
    assertThat(Policy.of(policy.key())).isSameAs(policy);
    NodeHarness node = node(10, policy);
    for (int i = 0; i < 4; i++) {
      node.request(task("production" + i, PRODUCTION, 2.5, 1, 200, constant(3, 0.5)));
      node.request(task("best-effort" + i, BEST_EFFORT, 2, 1, 200, growing(3)));
    }
    node.runTo(20_000);
    assertThat(node.happened())
        .filteredOn(line -> line.endsWith("production0") || line.contains(" production"))
        .noneMatch(line -> line.contains("killed"));
    for (int i = 0; i < 4; i++) {
      assertThat(node.at("completed production" + i)).isPositive();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "mercury, stock-yarn",
    "kuber, threshold",
    "charon-names, charon-peaks",
    "charon-growth-fair, charon-no-limit"
  })
  void formerNamesOfPoliciesAreRefusedWithTheNewOnes(String former, String now) {
    assertThatThrownBy(() -> Policy.of(former))
        .hasMessage("policy " + former + " is now named " + now);
  }

  @Test
  void anUnknownPolicyIsRefusedWithAllNames() {
    assertThatThrownBy(() -> Policy.of("charon2"))
        .hasMessageContaining("no policy charon2")
        .hasMessageContaining("charon-user-space-killer");
  }

  private static double lastSeconds(NodeHarness node) {
    return node.happened().stream()
        .mapToDouble(line -> Double.parseDouble(line.substring(0, line.indexOf(' '))))
        .max()
        .orElseThrow();
  }
}
