/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("hadoop")
class EvictionsTest {
  private static final NodeId ONE = NodeId.newInstance("host1", 1);
  private static final NodeId TWO = NodeId.newInstance("host2", 1);

  private final AtomicLong nanos = new AtomicLong(-7);
  private final Evictions evictions = new Evictions(nanos::get);

  @ParameterizedTest(name = "{0} \"{1}\": {2}")
  @CsvSource({
    ContainerExitStatus.PREEMPTED + ", Killed for memory, KILLED",
    ContainerExitStatus.KILLED_EXCEEDED_PMEM + ", too large, KILLED",
    ContainerExitStatus.KILLED_EXCEEDED_VMEM + ", too large, KILLED",
    ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER
        + ", Container Killed to make room for Guaranteed Container., KILLED",
    ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER
        + ", Opportunistic container queue is full., REFUSED",
    ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER
        + ", Container De-queued to meet NM queuing limits., REFUSED",
    ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER + ", '', REFUSED",
  })
  void killsAndRefusalsAreCountedApart(int exitStatus, String diagnostics, EvictionCause how) {
    evictions.learn(
        Map.of(ONE, List.of(ended(ExecutionType.OPPORTUNISTIC, exitStatus, diagnostics))),
        Set.of(ONE));
    for (EvictionCause each : EvictionCause.values()) {
      assertThat(evictions.lastHour(ONE, each)).isEqualTo(each == how ? 1 : 0);
    }
  }

  @Test
  void otherEndsAndProductionAreNotCounted() {
    evictions.learn(
        Map.of(
            ONE,
            List.of(
                ended(ExecutionType.OPPORTUNISTIC, ContainerExitStatus.SUCCESS, ""),
                ended(ExecutionType.OPPORTUNISTIC, 137, ""),
                ended(ExecutionType.OPPORTUNISTIC, ContainerExitStatus.ABORTED, ""),
                ended(ExecutionType.OPPORTUNISTIC, ContainerExitStatus.KILLED_BY_APPMASTER, ""),
                ended(ExecutionType.GUARANTEED, ContainerExitStatus.PREEMPTED, ""))),
        Set.of(ONE));
    assertThat(evictions.lastHour(ONE, EvictionCause.KILLED)).isZero();
    assertThat(evictions.lastHour(ONE, EvictionCause.REFUSED)).isZero();
  }

  @Test
  void eachNodeHasItsOwnAndOneThatIsGoneIsForgotten() {
    kill(ONE, Set.of(ONE, TWO));
    kill(ONE, Set.of(ONE, TWO));
    kill(TWO, Set.of(ONE, TWO));
    assertThat(evictions.lastHour(ONE, EvictionCause.KILLED)).isEqualTo(2);
    assertThat(evictions.lastHour(TWO, EvictionCause.KILLED)).isEqualTo(1);

    kill(ONE, Set.of(TWO));
    assertThat(evictions.lastHour(ONE, EvictionCause.KILLED)).isZero();
    assertThat(evictions.lastHour(TWO, EvictionCause.KILLED)).isEqualTo(1);
  }

  @Test
  void afterAnHourItIsOver() {
    kill(ONE, Set.of(ONE));
    nanos.addAndGet(Duration.ofMinutes(30).toNanos());
    assertThat(evictions.counted()).isEqualTo(Duration.ofMinutes(30));
    assertThat(evictions.lastHour(ONE, EvictionCause.KILLED)).isEqualTo(1);
    nanos.addAndGet(Duration.ofMinutes(31).toNanos());
    assertThat(evictions.counted()).isEqualTo(Duration.ofHours(1));
    assertThat(evictions.lastHour(ONE, EvictionCause.KILLED)).isZero();
  }

  @Test
  void everyResourceManagerHasItsOwnCountsAndStartsAnewWhenItBecomesActive() {
    RMContext first = mock(RMContext.class);
    RMContext second = mock(RMContext.class);
    ActiveParts parts = new ActiveParts(evictions, mock(KeysReload.class));
    ActiveParts.start(first, parts);
    assertThat(ActiveParts.find(first)).containsSame(parts);
    assertThat(ActiveParts.find(second)).isEmpty();
    ActiveParts again = new ActiveParts(new Evictions(nanos::get), mock(KeysReload.class));
    ActiveParts.start(first, again);
    assertThat(ActiveParts.find(first)).containsSame(again);
  }

  /** Each failover makes a new context, which holds all of a ResourceManager's state. */
  @Test
  void theContextOfAResourceManagerThatIsNoLongerActiveIsGarbage() throws InterruptedException {
    WeakReference<RMContext> ended = new WeakReference<>(startOneThatRefersToItsContext());
    for (int i = 0; i < 100 && ended.get() != null; i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertThat(ended.get()).isNull();
  }

  private static RMContext startOneThatRefersToItsContext() {
    RMContext context =
        (RMContext)
            Proxy.newProxyInstance(
                RMContext.class.getClassLoader(),
                new Class<?>[] {RMContext.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "hashCode" -> System.identityHashCode(proxy);
                      case "equals" -> proxy == arguments[0];
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    ActiveParts parts =
        new ActiveParts(new Evictions(() -> context.hashCode()), mock(KeysReload.class));
    ActiveParts.start(context, parts);
    assertThat(ActiveParts.find(context)).containsSame(parts);
    return context;
  }

  private void kill(NodeId node, Set<NodeId> registered) {
    evictions.learn(
        Map.of(
            node, List.of(ended(ExecutionType.OPPORTUNISTIC, ContainerExitStatus.PREEMPTED, ""))),
        registered);
  }

  private static ContainerStatus ended(ExecutionType type, int exitStatus, String diagnostics) {
    ContainerId id =
        ContainerId.newContainerId(
            ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), 1);
    return ContainerStatus.newInstance(id, type, ContainerState.COMPLETE, diagnostics, exitStatus);
  }
}
