/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.codahale.metrics.Counter;
import io.charon.core.kill.LowMemoryRule;
import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.LaunchQueue;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.ProcessorLimits;
import io.charon.core.scheduler.SnapshotLaunchPolicy;
import io.charon.core.scheduler.StartLimit;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.report.audit.Audit;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests a node of 1000 bytes, of which the user-space killer would keep 100 free. */
class LaunchObserverTest {
  private long nanos = 1;
  private final LaunchObserver observer =
      new LaunchObserver(
          new LaunchGate(
              new LocalScheduler(
                  new LaunchQueue(Integer.MAX_VALUE),
                  new PeakProfile(20, 95),
                  new SnapshotLaunchPolicy(Duration.ofNanos(1), Duration.ofSeconds(5)),
                  new ProcessorLimits(new StartLimit(1, Duration.ofSeconds(1)), 0)),
              Duration.ofDays(1),
              () -> nanos,
              Clock.systemUTC(),
              waited -> {},
              ""),
          new LowMemoryRule(10),
          () -> nanos,
          Audit.direct(Optional.empty(), Clock.systemUTC(), new Counter()));

  @Test
  void whatWaitsForAReservationWouldHaveStartedOnIdleMemory() {
    tick(700, Map.of(), wants("c1", 300), wants("c2", 300), wants("c3", 300));
    assertThat(observer.totals().startedEarlier()).as("YARN may be about to").isZero();
    seconds(10);
    assertThat(observer.totals().startedEarlier()).as("two fit, charged at once").isEqualTo(2);
    observer.started(wants("c1", 300));
    seconds(5);
    assertThat(observer.totals().earlierSeconds())
        .as("10 s of the one that YARN started, 15 s of the one that still waits")
        .isEqualTo(25);
    assertThat(observer.totals().heldBack()).isZero();
  }

  @Test
  void whatYarnStartsAtOnceIsNoGain() {
    tick(700, Map.of());
    observer.started(wants("c1", 300));

    assertThat(observer.totals().startedEarlier()).isZero();
    assertThat(observer.totals().earlierSeconds()).isZero();
    assertThat(observer.totals().heldBack()).isZero();
  }

  @Test
  void whatYarnStartsWithoutMemoryWouldHaveBeenHeldBack() {
    tick(200, Map.of(), wants("c1", 300));
    observer.started(wants("c1", 300));

    assertThat(observer.totals().heldBack()).isEqualTo(1);
    assertThat(observer.totals().startedEarlier()).isZero();
  }

  @Test
  void whatWouldOnlyHaveStartedAMomentLaterIsNotHeldBack() {
    observer.gate().processors(1, 0);
    tick(900, Map.of());
    observer.started(wants("c1", 300));
    observer.started(wants("c2", 300));

    assertThat(observer.totals().heldBack()).isZero();
    assertThat(observer.totals().launchableBytes()).as("both run").isEqualTo(300);
  }

  @Test
  void whatYarnStartsDuringAnOperatorsStopIsNotHeldBack() {
    tick(900, Map.of());
    assertThat(observer.gate().hold(LaunchVerdict.Reason.STOPPED, true)).isTrue();
    observer.started(wants("c1", 300));

    assertThat(observer.totals().heldBack()).isZero();
  }

  @Test
  void aContainerThatLeavesTheQueueReleasesItsMemory() {
    tick(400, Map.of(), wants("c1", 300));
    tick(400, Map.of(), wants("c2", 300));

    seconds(10);
    assertThat(observer.totals().startedEarlier()).as("c1 is gone").isEqualTo(1);
    assertThat(observer.totals().earlierSeconds()).isEqualTo(10);
  }

  @Test
  void theTotalsNeverFall() {
    tick(700, Map.of(), wants("c1", 300), wants("c2", 300));
    seconds(10);
    tick(700, Map.of(), wants("c2", 300));
    assertThat(observer.totals().startedEarlier()).as("c1 left the queue").isEqualTo(2);
    assertThat(observer.totals().earlierSeconds()).isCloseTo(20, within(0.001));
    seconds(10);
    observer.ended("c2", 0, ContainerEnd.OTHER);
    assertThat(observer.totals().startedEarlier()).as("c2 was promoted").isEqualTo(2);
    assertThat(observer.totals().earlierSeconds()).isCloseTo(30, within(0.001));
  }

  @Test
  void anIntendedKillCountsOnceAndItsMemoryCountsAsFree() {
    tick(900, Map.of());
    observer.started(wants("old", 300));
    observer.started(wants("new", 300));

    tick(50, Map.of("old", 300L, "new", 300L));
    tick(50, Map.of("old", 300L, "new", 300L));
    assertThat(observer.totals().killed()).as("the newest gives back 300").isEqualTo(1);

    observer.ended("new", 300, ContainerEnd.COMPLETED);
    tick(50, Map.of("old", 300L));
    assertThat(observer.totals().killed()).isEqualTo(2);
  }

  @Test
  void nothingWouldStartOnANodeThatCannotBeRead() {
    tick(900, Map.of());
    observer.gate().unobserved();
    observer.started(wants("c1", 300));

    assertThat(observer.totals().heldBack()).isEqualTo(1);
  }

  @Test
  void containersFromBeforeARestartAreChargedWithoutADecision() {
    observer.reacquired(wants("c1", 300));
    tick(500, Map.of("c1", 0L));

    assertThat(observer.totals().launchableBytes()).isEqualTo(200);
    assertThat(observer.totals().heldBack()).isZero();
  }

  private void tick(long availableBytes, Map<String, Long> used, LaunchRequest... waiting) {
    nanos++;
    NodeMemory memory = new NodeMemory(1000, availableBytes);
    observer.observed(memory, memory, used, List.copyOf(Arrays.asList(waiting)));
  }

  private void seconds(long count) {
    nanos += Duration.ofSeconds(count).toNanos();
  }

  private static LaunchRequest wants(String containerId, long bytes) {
    return ContainerInfos.bestEffort(containerId, bytes).launchRequest();
  }
}
