/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.FullQueue;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.FakeYarn;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ContainerScheduler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a large application (1) and a small one (2) on a node with a fair order of applications.
 */
@Tag("hadoop")
class FairQueueTest {
  private static final long MIB = 1 << 20;
  private static final int QUEUE_LIMIT = 3;

  @TempDir Path proc;
  private LaunchGate gate;
  private StockYarn yarn;
  private StockScheduler stock;
  private long nowNanos;

  @BeforeEach
  void full() throws Exception {
    takeOver(
        new StockYarn(
            QUEUE_LIMIT,
            (context, dispatcher, metrics) ->
                new CharonContainerScheduler(context, dispatcher, metrics, () -> nowNanos)));
  }

  private void takeOver(StockYarn scheduler) throws Exception {
    CharonNode node =
        new CharonNode(
            TestSettings.of(
                "cgroup.enabled", "false",
                "scheduler.estimate", "peak", // keeps nothing free, so bytes are exact
                "scheduler.resync-ms", "100",
                "node.tick-ms", "60000",
                "scheduler.queue-order", "fair-application"),
            Surroundings.ofThisMachine(proc),
            new FakeYarn());
    yarn = scheduler;
    gate = node.gate().orElseThrow();
    new YarnAdmission(node, yarn.scheduler(), yarn.dispatcher()).queue().recovered(Set.of());
    stock = new StockScheduler(yarn.scheduler(), yarn.dispatcher());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theSmallApplicationStartsBeforeTheLargeOnesNext(boolean dropIn) throws Exception {
    takeOver(
        dropIn
            ? new StockYarn(QUEUE_LIMIT)
            : new StockYarn(QUEUE_LIMIT, CharonContainerScheduler::new));
    free(StockYarn.NODE_MB);
    schedule(large(1), large(2), large(3), small(1));
    assertThat(yarn.launches()).isEqualTo(ids(large(1)));
    assertThat(waiting()).isEqualTo(ids(small(1), large(2), large(3)));

    freeAndWake(2 * StockYarn.NODE_MB);
    assertThat(yarn.launches()).isEqualTo(ids(large(1), small(1)));
    freeAndWake(4 * StockYarn.NODE_MB);
    assertThat(yarn.launches()).isEqualTo(ids(large(1), small(1), large(2), large(3)));
  }

  @Test
  void aFullQueueTakesAPlaceFromTheLargeApplication() {
    free(0);
    schedule(large(1), large(2), large(3), small(1));
    assertThat(yarn.kills()).containsOnlyKeys(large(3).toString());
    assertThat(ContainerEnd.ofSchedulerKill(yarn.kills().get(large(3).toString())))
        .isEqualTo(ContainerEnd.REJECTED);
    assertThat(waiting()).isEqualTo(ids(large(1), small(1), large(2)));
    assertThat(yarn.scheduler().getNumQueuedOpportunisticContainers()).isEqualTo(QUEUE_LIMIT);

    schedule(large(4), small(2));
    assertThat(yarn.kills())
        .containsOnlyKeys(large(3).toString(), large(4).toString(), small(2).toString());
  }

  @Test
  void withoutCharonInChargeItIsYarnsScheduler() {
    yarn = new StockYarn(QUEUE_LIMIT, CharonContainerScheduler::new);
    schedule(large(1), large(2), large(3), large(4), small(1));
    assertThat(yarn.launches()).isEqualTo(ids(large(1))); // its size fits by reservation
    assertThat(yarn.kills()).containsOnlyKeys(small(1).toString());
    assertThat(yarn.scheduler().getOpportunisticContainersStatus().getEstimatedQueueWaitTime())
        .isZero();
  }

  @Test
  void theResourceManagerIsToldThatAFullNodeIsWorse() {
    free(100_000);
    int whenEmpty = estimate(yarn.scheduler());
    free(50_000);
    int whenHalfFull = estimate(yarn.scheduler());
    free(0);
    int whenFull = estimate(yarn.scheduler());
    schedule(large(1));
    int whenOneWaits = estimate(yarn.scheduler());
    assertThat(List.of(whenEmpty, whenHalfFull, whenFull)).containsExactly(0, 500, 1000);
    assertThat(whenOneWaits).isGreaterThan(whenFull);
    schedule(large(2), large(3));
    assertThat(estimate(yarn.scheduler())).as("a place can be taken").isGreaterThan(whenOneWaits);
    assertThat(yarn.scheduler().getOpportunisticContainersStatus().getWaitQueueLength())
        .as("the ResourceManager sends nothing to a queue that is full")
        .isEqualTo(QUEUE_LIMIT - 1);
  }

  @Test
  void aFullQueueTakesNoMoreOfTheLargeApplicationForAWhile() {
    free(0);
    schedule(large(1), large(2), large(3));
    assertThat(reportedLength()).isEqualTo(QUEUE_LIMIT - 1);

    schedule(large(4));
    assertThat(yarn.kills()).containsOnlyKeys(large(4).toString());
    assertThat(reportedLength()).isEqualTo(QUEUE_LIMIT);
    assertThat(estimate(yarn.scheduler())).isEqualTo(-1);

    nowNanos += FullQueue.CLOSED.toNanos();
    assertThat(reportedLength()).isEqualTo(QUEUE_LIMIT - 1);
  }

  @Test
  void aFullQueueIsOpenAgainAsSoonAsAnotherHasGotAPlace() {
    free(0);
    schedule(large(1), large(2), large(3), large(4), small(1));
    assertThat(waiting()).contains(small(1).toString());
    assertThat(reportedLength()).isEqualTo(QUEUE_LIMIT - 1);
  }

  private int reportedLength() {
    return yarn.scheduler().getOpportunisticContainersStatus().getWaitQueueLength();
  }

  private static int estimate(ContainerScheduler scheduler) {
    return scheduler.getOpportunisticContainersStatus().getEstimatedQueueWaitTime();
  }

  private static ContainerId large(int number) {
    return StockYarn.id(1, number);
  }

  private static ContainerId small(int number) {
    return StockYarn.id(2, number);
  }

  private void schedule(ContainerId... containers) {
    for (ContainerId id : containers) {
      Container container =
          yarn.opportunisticOf(
              id.getApplicationAttemptId().getApplicationId().getId(),
              (int) id.getContainerId(),
              StockYarn.NODE_MB);
      yarn.schedule(container);
    }
  }

  private static List<String> ids(ContainerId... containers) {
    return Arrays.stream(containers).map(ContainerId::toString).toList();
  }

  private List<String> waiting() {
    return gate.view().waiting().stream().map(waiting -> waiting.request().containerId()).toList();
  }

  /** Sets a reading; the snapshot takes the first one, and later ones only after its period. */
  private boolean free(long mib) {
    gate.unobserved();
    return gate.observed(new NodeMemory(100_000 * MIB, mib * MIB), Map.of());
  }

  private void freeAndWake(long mib) {
    assertThat(free(mib)).isTrue();
    stock.processQueue();
  }
}
