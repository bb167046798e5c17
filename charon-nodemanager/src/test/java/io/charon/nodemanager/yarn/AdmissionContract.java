/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.FakeYarn;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ResourceUtilizationTracker;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService.RecoveredContainerStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Charon's guarantees for both ways into YARN: in charge of the real ContainerScheduler of the
 * Hadoop on the classpath, or of the subclass that CharonNodeManager provides.
 */
abstract class AdmissionContract {
  private static final long MIB = 1 << 20;
  private static final int QUEUE_LIMIT = 3;
  private static final int CAPACITY_MB = 100_000;

  @TempDir Path proc;
  private StockYarn yarn;
  private LaunchGate gate;
  private YarnAdmission admission;
  private BestEffortQueue queue;
  private StockScheduler scheduler;

  abstract StockYarn yarn(int queueLimit);

  StockYarn fullNode() {
    queue.recovered(Set.of());
    free(0);
    IntStream.rangeClosed(1, QUEUE_LIMIT).forEach(i -> yarn.schedule(opportunistic(i)));
    return yarn;
  }

  @BeforeEach
  void takeOver() throws Exception {
    takeOver("peak"); // keeps nothing free, so bytes are exact
  }

  private void takeOver(String estimate) throws Exception {
    yarn = yarn(QUEUE_LIMIT);
    CharonNode node =
        new CharonNode(
            TestSettings.of(
                "cgroup.enabled", "false",
                "scheduler.queue-order", "fifo", // FairQueueTest covers the other orders
                "scheduler.estimate", estimate,
                "scheduler.resync-ms", "100",
                "node.tick-ms", "60000"),
            Surroundings.ofThisMachine(proc),
            new FakeYarn());
    gate = node.gate().orElseThrow();
    admission = new YarnAdmission(node, yarn.scheduler(), yarn.dispatcher());
    queue = admission.queue();
    scheduler = new StockScheduler(yarn.scheduler(), yarn.dispatcher());
  }

  @Test
  void launchesByFreeMemoryAndNotByReservation() {
    queue.recovered(Set.of());
    free(5 * StockYarn.NODE_MB);

    IntStream.rangeClosed(1, 4).forEach(i -> yarn.schedule(opportunistic(i)));

    assertThat(yarn.launches())
        .isEqualTo(ids(1, 2, 3, 4)); // four times as many as YARN would start
    assertThat(gate.runningOldestFirst()).isEqualTo(ids(1, 2, 3, 4));
    assertThat(gate.view().launchableBytes()).isEqualTo(StockYarn.NODE_MB * MIB);
  }

  @Test
  void whatDoesNotFitWaitsInOrderAndBeyondTheLimitIsRejected() {
    queue.recovered(Set.of());
    free(0);

    IntStream.rangeClosed(1, 4).forEach(i -> yarn.schedule(opportunistic(i)));

    assertThat(yarn.launches()).isEmpty();
    assertThat(waiting()).isEqualTo(ids(1, 2, 3));
    assertThat(yarn.kills()).containsOnlyKeys(ids(4).get(0));

    freeAndWake(2 * StockYarn.NODE_MB);
    assertThat(yarn.launches()).isEqualTo(ids(1, 2));
    assertThat(waiting()).isEqualTo(ids(3));
  }

  @Test
  void oneThatIsNotReadyAfterARestartStartsOnceWhenItIs() {
    free(0);
    Container container = opportunistic(1);
    when(container.getContainerState()).thenReturn(ContainerState.NEW);
    yarn.recover(container, RecoveredContainerStatus.PAUSED);
    freeAndWake(5 * StockYarn.NODE_MB);
    assertThat(yarn.launches()).isEmpty();
    assertThat(gate.runningOldestFirst()).isEmpty();

    when(container.getContainerState()).thenReturn(ContainerState.SCHEDULED);
    scheduler.processQueue();
    scheduler.processQueue();
    assertThat(yarn.launches()).isEqualTo(ids(1));
    assertThat(gate.runningOldestFirst()).isEqualTo(ids(1));
  }

  @Test
  void oneThatEndsMakesRoomForTheNextAtOnce() {
    queue.recovered(Set.of());
    free(StockYarn.NODE_MB);
    Container first = opportunistic(1);
    yarn.schedule(first);
    yarn.schedule(opportunistic(2));

    yarn.complete(first);

    assertThat(yarn.launches()).isEqualTo(ids(1, 2));
    assertThat(gate.runningOldestFirst()).isEqualTo(ids(2));
  }

  @Test
  void theOthersStartAfterTheFirstOfTheQueueWasKilled() {
    queue.recovered(Set.of());
    free(0);
    Container first = opportunistic(1);
    yarn.schedule(first);
    yarn.schedule(opportunistic(2));
    yarn.schedule(opportunistic(3));

    yarn.complete(first);
    assertThat(waiting()).isEqualTo(ids(2, 3));

    freeAndWake(5 * StockYarn.NODE_MB);
    assertThat(yarn.launches()).isEqualTo(ids(2, 3));
  }

  @Test
  void oneThatCouldNeverStartHereHoldsUpNoOther() throws Exception {
    takeOver("growth");
    queue.recovered(Set.of());
    free(0);
    yarn.schedule(yarn.opportunistic(1, 2 * CAPACITY_MB));
    yarn.schedule(opportunistic(2));
    yarn.schedule(opportunistic(3));

    freeAndWake(CAPACITY_MB / 2);

    assertThat(yarn.launches()).isEqualTo(ids(2, 3));
    assertThat(waiting()).isEqualTo(ids(1));
  }

  @Test
  void oneThatCouldNeverStartHereIsShedFirst() throws Exception {
    takeOver("growth");
    queue.recovered(Set.of());
    free(CAPACITY_MB / 2);
    gate.hold(LaunchVerdict.Reason.STOPPED, true);
    yarn.schedule(yarn.opportunistic(1, 2 * CAPACITY_MB));
    yarn.schedule(opportunistic(2));
    yarn.schedule(opportunistic(3));

    yarn.limitQueue(2);

    assertThat(yarn.kills()).containsOnlyKeys(ids(1).get(0));
    assertThat(waiting()).isEqualTo(ids(2, 3));
  }

  @Test
  void shedOnesAreForgottenAtOnce() {
    queue.recovered(Set.of());
    free(0);
    IntStream.rangeClosed(1, 3).forEach(i -> yarn.schedule(opportunistic(i)));

    yarn.limitQueue(1);

    assertThat(yarn.kills()).containsOnlyKeys(ids(2, 3).toArray(String[]::new));
    assertThat(waiting()).isEqualTo(ids(1));
  }

  @Test
  void guaranteedContainersStartAtOnceWithoutAKill() {
    queue.recovered(Set.of());
    free(StockYarn.NODE_MB);
    yarn.schedule(opportunistic(1));
    free(0);

    yarn.schedule(yarn.guaranteed(2, StockYarn.NODE_MB));
    yarn.schedule(yarn.guaranteed(3, StockYarn.NODE_MB));

    assertThat(yarn.launches()).isEqualTo(ids(1, 2, 3));
    assertThat(yarn.kills()).isEmpty();
    assertThat(gate.runningOldestFirst()).isEqualTo(ids(1));
  }

  @Test
  void aPromotedContainerStartsAtOnceAndBlocksNoOther() {
    queue.recovered(Set.of());
    free(0);
    Container first = opportunistic(1);
    yarn.schedule(first);
    yarn.schedule(opportunistic(2));

    yarn.promote(first);

    assertThat(yarn.launches()).isEqualTo(ids(1));
    assertThat(waiting()).isEqualTo(ids(2));
    freeAndWake(StockYarn.NODE_MB);
    assertThat(yarn.launches()).isEqualTo(ids(1, 2));
  }

  @Test
  void aRunningOneThatIsResizedKeepsItsChargeAndItsPlace() {
    queue.recovered(Set.of());
    free(2 * StockYarn.NODE_MB);
    Container first = opportunistic(1);
    yarn.schedule(first);
    yarn.schedule(opportunistic(2));
    long charged = gate.view().running().get(0).container().expectedPeakBytes();

    yarn.resize(first, 3 * StockYarn.NODE_MB);

    assertThat(gate.runningOldestFirst()).isEqualTo(ids(1, 2));
    assertThat(gate.view().running().get(0).container().expectedPeakBytes()).isEqualTo(charged);
    yarn.complete(first);
    assertThat(gate.runningOldestFirst()).isEqualTo(ids(2));
  }

  @Test
  @Tag("must-never")
  void afterARestartRunningOnesAreReacquiredAtOnceAndNoneIsLost() {
    List<Container> all = IntStream.rangeClosed(1, 8).mapToObj(this::opportunistic).toList();
    all.subList(6, 8)
        .forEach(container -> yarn.recover(container, RecoveredContainerStatus.LAUNCHED));
    assertThat(gate.runningOldestFirst()).isEqualTo(ids(7, 8));
    all.subList(0, 6).forEach(yarn::schedule);

    yarn.schedule(all.get(6));
    assertThat(yarn.launches()).isEqualTo(ids(7)); // tracked again, although memory is unknown
    queue.recovered(Set.copyOf(yarn.context().getContainers().keySet()));
    yarn.schedule(all.get(7));

    assertThat(yarn.launches()).isEqualTo(ids(7, 8));
    assertThat(yarn.kills()).isEmpty(); // six wait, although only three may
    assertThat(waiting()).isEqualTo(ids(1, 2, 3, 4, 5, 6));

    freeAndWake(10 * StockYarn.NODE_MB);
    assertThat(yarn.launches()).isEqualTo(ids(7, 8, 1, 2, 3, 4, 5, 6));
    assertThat(gate.view().launchableBytes()).isEqualTo(2 * StockYarn.NODE_MB * MIB);
  }

  @Test
  void containersFromBeforeARestartTakeNoPlaceOfNewOnesAndNoOthersAreExempt() {
    IntStream.rangeClosed(1, 4).forEach(i -> yarn.schedule(opportunistic(i)));
    queue.recovered(Set.copyOf(yarn.context().getContainers().keySet()));

    IntStream.rangeClosed(5, 8).forEach(i -> yarn.schedule(opportunistic(i)));

    assertThat(yarn.kills()).containsOnlyKeys(ids(8).get(0));
    assertThat(waiting()).isEqualTo(ids(1, 2, 3, 4, 5, 6, 7));
    assertThat(yarn.scheduler().getNumQueuedOpportunisticContainers()).isEqualTo(QUEUE_LIMIT);

    freeAndWake(5 * StockYarn.NODE_MB);
    assertThat(yarn.launches()).isEqualTo(ids(1, 2, 3, 4, 5));
    assertThat(yarn.scheduler().getNumQueuedOpportunisticContainers()).isEqualTo(2);
  }

  @Test
  void onceAllFromBeforeARestartHaveComeTheResourceManagerLearnsHowManyWait() {
    List<Container> before = IntStream.rangeClosed(1, 3).mapToObj(this::opportunistic).toList();
    queue.recovered(Set.copyOf(yarn.context().getContainers().keySet()));
    before.forEach(yarn::schedule);
    yarn.schedule(opportunistic(4));
    assertThat(yarn.scheduler().getNumQueuedOpportunisticContainers()).isEqualTo(1);

    admission.endRecovery();
    assertThat(yarn.scheduler().getNumQueuedOpportunisticContainers()).isEqualTo(4);

    yarn.limitQueue(3);
    assertThat(yarn.kills()).containsOnlyKeys(ids(4).get(0));
    yarn.schedule(opportunistic(5));
    assertThat(yarn.kills()).containsOnlyKeys(ids(4, 5).toArray(String[]::new));
  }

  @Test
  void oneThatWaitedBeforeARestartIsNotRejectedIfNewOnesFillTheQueueMeanwhile() throws Exception {
    RecoveredContainer waited = waited(9);
    queue.recovered(Set.copyOf(yarn.context().getContainers().keySet()));
    waited.initialize();
    IntStream.rangeClosed(1, QUEUE_LIMIT).forEach(i -> yarn.schedule(opportunistic(i)));

    waited.localized();
    yarn.deliver();

    assertThat(yarn.unhandled()).doesNotContain(ContainerEventType.KILL_CONTAINER);
    assertThat(waiting()).isEqualTo(ids(1, 2, 3, 9));
    assertThat(yarn.scheduler().getNumQueuedOpportunisticContainers()).isEqualTo(QUEUE_LIMIT);
    yarn.schedule(opportunistic(4));
    assertThat(yarn.kills()).containsOnlyKeys(ids(4).get(0));
  }

  /** The dispatcher may hold the event of another container before its own. */
  @Test
  void itsPlaceIsNotTakenByOneThatIsScheduledJustBefore() throws Exception {
    RecoveredContainer waited = waited(9);
    queue.recovered(Set.copyOf(yarn.context().getContainers().keySet()));
    waited.initialize();
    IntStream.rangeClosed(1, QUEUE_LIMIT).forEach(i -> yarn.schedule(opportunistic(i)));

    waited.localized();
    yarn.schedule(opportunistic(4));
    yarn.deliver();

    assertThat(yarn.unhandled()).doesNotContain(ContainerEventType.KILL_CONTAINER);
    assertThat(waiting()).isEqualTo(ids(1, 2, 3, 4, 9));
    assertThat(yarn.scheduler().getNumQueuedOpportunisticContainers()).isEqualTo(QUEUE_LIMIT);
  }

  @Test
  void aSchedulerWithOtherFieldsIsLeftAlone() throws Exception {
    Container container = opportunistic(1);
    StockYarn other = yarn(QUEUE_LIMIT);
    StockScheduler stock = new StockScheduler(other.scheduler(), other.dispatcher());
    ResourceUtilizationTracker tracker = mock(ResourceUtilizationTracker.class);
    ProductionQueue production = new ProductionQueue(new RecoveredStatus(), () -> true);

    assertThatThrownBy(() -> stock.takeOver(null, queue, production))
        .isInstanceOf(NoSuchFieldException.class)
        .hasMessageContaining("ContainerScheduler.utilizationTracker");
    assertThatThrownBy(() -> stock.takeOver(tracker, null, production))
        .isInstanceOf(NoSuchFieldException.class);
    assertThatThrownBy(() -> stock.takeOver(tracker, queue, null))
        .isInstanceOf(NoSuchFieldException.class);

    other.schedule(container);
    assertThat(gate.runningOldestFirst()).isEmpty();
    assertThat(other.scheduler().getNumRunningContainers()).isEqualTo(1);
  }

  private Container opportunistic(int number) {
    return yarn.opportunistic(number, StockYarn.NODE_MB);
  }

  private RecoveredContainer waited(int number) throws Exception {
    return new RecoveredContainer(
        yarn, number, ExecutionType.OPPORTUNISTIC, RecoveredContainerStatus.QUEUED);
  }

  private static List<String> ids(int... numbers) {
    return IntStream.of(numbers).mapToObj(number -> StockYarn.id(number).toString()).toList();
  }

  private List<String> waiting() {
    return gate.view().waiting().stream().map(waiting -> waiting.request().containerId()).toList();
  }

  /** Sets a reading; the snapshot takes the first one, and later ones only after its period. */
  private boolean free(long mib) {
    gate.unobserved();
    return gate.observed(new NodeMemory(CAPACITY_MB * MIB, mib * MIB), Map.of());
  }

  private void freeAndWake(long mib) {
    assertThat(free(mib)).isTrue();
    scheduler.processQueue();
  }
}
