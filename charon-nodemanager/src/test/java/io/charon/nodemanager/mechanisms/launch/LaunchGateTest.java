/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.ExpectedGrowthPolicy;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchDecision.Outcome;
import io.charon.core.scheduler.LaunchQueue;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict.Reason;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.PeakEstimate;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.ProcessorLimits;
import io.charon.core.scheduler.SafetyMargin;
import io.charon.core.scheduler.SnapshotLaunchPolicy;
import io.charon.core.scheduler.StartLimit;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.report.recording.Recorded;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaunchGateTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Duration READING_AGE = Duration.ofSeconds(30);

  private final List<Long> launchWaitNanos = new ArrayList<>();
  private long nanos = 1_000;
  private final LaunchGate gate =
      new LaunchGate(
          scheduler(),
          READING_AGE,
          () -> nanos,
          Clock.fixed(NOW, ZoneOffset.UTC),
          launchWaitNanos::add,
          "");

  private static LocalScheduler scheduler() {
    return new LocalScheduler(
        new LaunchQueue(2),
        new PeakProfile(20, 95),
        new SnapshotLaunchPolicy(Duration.ofNanos(1), Duration.ofSeconds(5)),
        new ProcessorLimits(new StartLimit(1, Duration.ofNanos(1000)), 2));
  }

  @Test
  void nothingStartsBeforeTheFirstReading() {
    assertThat(request("c1", 10).outcome()).isEqualTo(Outcome.QUEUED);
    assertThat(gate.view().waiting().get(0).reason()).isEqualTo(Reason.MEMORY_UNKNOWN);

    assertThat(free(100)).isTrue();
    assertThat(request("c1", 10).outcome()).isEqualTo(Outcome.LAUNCHED);
    assertThat(gate.isRunning("c1")).isTrue();
    assertThat(gate.anyWaiting()).isFalse();
  }

  @Test
  void aReadingWakesOnlyIfTheFirstOfTheQueueMayStart() {
    assertThat(free(100)).isFalse();
    request("c1", 200);
    assertThat(free(100)).isFalse();
    assertThat(free(200)).isTrue();
  }

  @Test
  void everyBestEffortLaunchTellsOnceHowLongItWaited() {
    request("c1", 60);
    nanos += 500;
    free(100);
    request("c1", 60);
    request("c1", 60); // already running
    request("c2", 10);
    gate.request(ContainerInfos.production("c3", 10).launchRequest());

    assertThat(launchWaitNanos).containsExactly(501L, 0L);
  }

  @Test
  void onlyNewsAreRecorded() {
    request("c1", 200);
    request("c1", 200);
    free(100);
    request("c1", 200);
    request("c1", 200);
    free(300);
    request("c1", 200);
    request("c1", 200); // already running

    assertThat(gate.view().recent())
        .extracting(
            LaunchView.Dated::time,
            dated -> dated.decision().outcome(),
            dated -> dated.decision().verdict().reason())
        .containsExactly(
            tuple(NOW, Outcome.QUEUED, Reason.MEMORY_UNKNOWN),
            tuple(NOW, Outcome.QUEUED, Reason.MEMORY),
            tuple(NOW, Outcome.LAUNCHED, Reason.FITS));
  }

  @Test
  void theWaitIsCountedFromTheFirstRequest() {
    request("c1", 200);
    nanos += 699;
    free(100);
    request("c1", 200);
    nanos += 300;

    LaunchView.Waiting waiting = gate.view().waiting().get(0);
    assertThat(waiting.waitingNanos()).isEqualTo(1000);
    assertThat(waiting.reason()).isEqualTo(Reason.MEMORY);
  }

  @Test
  void theViewShowsRunningContainersWithTheirStartAndTheRemainingMemory() {
    free(100);
    request("c1", 60);
    nanos += 500;
    request("c2", 60);
    request("c3", 10);
    assertThat(request("c4", 10).outcome()).isEqualTo(Outcome.REJECTED);
    gate.killedForMemory();
    nanos += 1;

    LaunchView view = gate.view();
    assertThat(view.running()).hasSize(1);
    assertThat(view.running().get(0).runningNanos()).isEqualTo(501);
    assertThat(view.running().get(0).container().expectedPeakBytes()).isEqualTo(60);
    assertThat(view.waiting())
        .extracting(waiting -> waiting.request().containerId(), LaunchView.Waiting::reason)
        .containsExactly(tuple("c2", Reason.MEMORY), tuple("c3", Reason.NOT_FIRST));
    assertThat(view.launchableBytes()).isEqualTo(40);
    assertThat(view.delayedNanos()).isEqualTo(Duration.ofSeconds(5).toNanos() - 1);
  }

  @Test
  void adoptedOnesAreChargedAndNeverGated() {
    request("c1", 60);
    gate.adopt(ContainerInfos.bestEffort("c1", 60).launchRequest());
    free(100);

    assertThat(gate.runningOldestFirst()).containsExactly("c1");
    assertThat(gate.anyWaiting()).isFalse();
    assertThat(gate.view().launchableBytes()).isEqualTo(40);
  }

  @Test
  void anEndedContainerReleasesItsCharge() {
    free(100);
    request("c1", 60);
    gate.ended("c1", 0, ContainerEnd.COMPLETED);
    gate.ended("c1", 0, ContainerEnd.COMPLETED);

    assertThat(gate.isRunning("c1")).isFalse();
    assertThat(gate.view().launchableBytes()).isEqualTo(100);
  }

  @Test
  void aContainerThatLeavesTheQueueMakesRoomForTheNext() {
    request("c1", 60);
    request("c2", 60);
    gate.leftQueue("c1");

    assertThat(free(100)).isTrue();
    assertThat(gate.view().waiting())
        .extracting(waiting -> waiting.request().containerId())
        .containsExactly("c2");
  }

  @Test
  void aContainerThatLeavesTheQueueToStartKeepsRunning() {
    free(100);
    request("c1", 60);
    gate.leftQueue("c1");

    assertThat(gate.isRunning("c1")).isTrue();
    assertThat(gate.view().launchableBytes()).isEqualTo(40);
  }

  @Test
  void unreadableMemoryStopsLaunches() {
    free(100);
    gate.unobserved();

    assertThat(request("c1", 10).verdict().reason()).isEqualTo(Reason.MEMORY_UNKNOWN);
    assertThat(gate.view().launchableBytes()).isZero();
    assertThat(free(100)).isTrue();
  }

  @Test
  void anOldReadingLaunchesNothingUntilTheNextOne() {
    request("c1", 10);
    free(100);
    nanos += READING_AGE.toNanos();
    assertThat(request("c1", 10).outcome()).as("just young enough").isEqualTo(Outcome.LAUNCHED);

    nanos += 1;
    assertThat(request("c2", 10).verdict().reason()).isEqualTo(Reason.MEMORY_UNKNOWN);
    assertThat(gate.view().launchableBytes()).isZero();
    gate.ended("c1", 10, ContainerEnd.COMPLETED);
    assertThat(gate.view().launchableBytes()).as("nothing is added to what is old").isZero();

    assertThat(free(100)).isTrue();
    assertThat(request("c2", 10).outcome()).isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void aReadingThatWasHeldUpOnItsWayIsAsOldAsItIs() {
    request("c1", 10);
    long readNanos = nanos;
    nanos += READING_AGE.toNanos() + 1;

    assertThat(gate.observed(new NodeMemory(1000, 100), Map.of(), readNanos)).isFalse();
    assertThat(request("c1", 10).verdict().reason()).isEqualTo(Reason.MEMORY_UNKNOWN);
  }

  @Test
  void productionStartsWhateverTheAgeOfTheReading() {
    free(100);
    nanos += Duration.ofMinutes(1).toNanos();

    LaunchRequest production = ContainerInfos.production("c1", 10).launchRequest();
    assertThat(gate.request(production).outcome()).isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void thatAReadingBecameTooOldIsRecordedOnceAndInOrder() {
    List<Recorded> lines = new ArrayList<>();
    gate.record(lines::add);
    free(100);
    nanos += READING_AGE.toNanos() + 1;
    request("c1", 10);
    request("c1", 10);

    assertThat(lines)
        .extracting(Object::getClass)
        .containsExactly(Recorded.Observed.class, Recorded.Unobserved.class, Recorded.Asked.class);
  }

  @Test
  void theRecentPastIsBounded() {
    free(1000);
    IntStream.range(0, 60).forEach(i -> request("c" + i, 1));

    assertThat(gate.view().recent()).hasSize(50);
    assertThat(gate.view().recent().get(49).decision().containerId()).isEqualTo("c59");
  }

  @Test
  void noMoreStartAtATimeThanTheCoresAllow() {
    gate.processors(2, 0);
    free(1000);
    assertThat(request("c1", 10).outcome()).isEqualTo(Outcome.LAUNCHED);
    assertThat(request("c2", 10).outcome()).isEqualTo(Outcome.LAUNCHED);
    assertThat(request("c3", 10).verdict().reason()).isEqualTo(Reason.STARTING_LIMIT);
    assertThat(gate.view().waiting())
        .extracting(LaunchView.Waiting::reason)
        .containsExactly(Reason.STARTING_LIMIT);
    assertThat(free(1000)).isFalse();

    nanos += 1000;
    assertThat(free(1000)).as("the next reading wakes it").isTrue();
    assertThat(request("c3", 10).outcome()).isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void bestEffortWaitsWhileTheProcessorsAreBusyAndAlsoAfterAChangeOfMode() {
    free(1000);
    gate.processors(2, 1.999);
    assertThat(request("c1", 10).verdict().reason()).isEqualTo(Reason.PROCESSORS_BUSY);
    assertThat(gate.view().launchableBytes()).isZero();

    LocalScheduler fresh = scheduler();
    gate.restart(fresh, "");
    free(1000);
    assertThat(request("c1", 10).verdict().reason()).isEqualTo(Reason.PROCESSORS_BUSY);

    gate.processors(2, 1.99);
    assertThat(free(1000)).isTrue();
    assertThat(request("c1", 10).outcome()).isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void aStopAndAFreezeHoldLaunchesUntilBothEnd() {
    List<Recorded> lines = new ArrayList<>();
    gate.record(lines::add);
    free(1000);
    assertThat(gate.hold(Reason.STOPPED, true)).isTrue();
    assertThat(gate.hold(Reason.STOPPED, true)).as("nothing new").isFalse();
    gate.hold(Reason.FROZEN, true);
    gate.restart(scheduler(), "");
    free(1000);
    assertThat(gate.isStopped()).isTrue();
    assertThat(gate.hold(Reason.STOPPED, false)).isTrue();
    assertThat(gate.isStopped()).isFalse();
    assertThat(request("c1", 10).verdict().reason()).isEqualTo(Reason.FROZEN);
    gate.hold(Reason.FROZEN, false);
    assertThat(request("c1", 10).outcome()).isEqualTo(Outcome.LAUNCHED);

    assertThat(lines)
        .filteredOn(Recorded.Held.class::isInstance)
        .extracting(line -> ((Recorded.Held) line).hold())
        .containsExactly(true, true, true, false);
  }

  @Test
  void aRecordingHasTheProcessorsAndTheTimesOfLaunches() {
    List<Recorded> lines = new ArrayList<>();
    gate.record(lines::add);
    gate.processors(2, 0.251);
    gate.processors(2, 0.249);
    gate.adopt(ContainerInfos.bestEffort("found", 10).launchRequest());
    free(1000);
    request("launched", 10);
    long launchedNanos = nanos;
    nanos += 7;

    assertThat(lines).filteredOn(Recorded.Processors.class::isInstance).hasSize(1);
    assertThat(gate.checkpoint().lines())
        .contains(
            new Recorded.Processors(nanos, 2, 0.25),
            new Recorded.Adopted(
                nanos, ContainerInfos.bestEffort("found", 10).launchRequest(), null),
            new Recorded.Adopted(
                nanos, ContainerInfos.bestEffort("launched", 10).launchRequest(), launchedNanos));
  }

  @Test
  void onlyContainersThatCompletedTellHowMuchTheirJobNeeds() {
    for (ContainerEnd end : ContainerEnd.values()) {
      free(1000);
      nanos += 1000;
      request("c1", 60);
      var unused = gate.ended("c1", 10, end);
      assertThat(gate.learned().peaks().size())
          .as(end.name())
          .isEqualTo(end.compareTo(ContainerEnd.COMPLETED) < 0 ? 0 : 1);
      assertThat(gate.learned().peaks())
          .allSatisfy(peaks -> assertThat(peaks.samples()).hasSize(1));
    }
  }

  @Test
  void oneThatIsStoppedAfterItHasStoppedGrowingTellsItToo() {
    PeakProfile profile = new PeakProfile(20, 95);
    LaunchGate growing =
        new LaunchGate(
            new LocalScheduler(
                new LaunchQueue(2),
                profile,
                new ExpectedGrowthPolicy(
                    profile, new SafetyMargin(1), Duration.ofSeconds(1), Duration.ZERO)),
            READING_AGE,
            () -> nanos,
            Clock.fixed(NOW, ZoneOffset.UTC),
            launchWaitNanos::add,
            "");
    assertThat(growing.observed(new NodeMemory(1000, 1000), Map.of())).isFalse();
    growing.request(ContainerInfos.bestEffort("executor", 60).launchRequest());
    growing.request(ContainerInfos.bestEffort("young", 60).launchRequest());
    for (int minute = 1; minute <= 2; minute++) {
      nanos += Duration.ofMinutes(1).toNanos();
      assertThat(growing.observed(new NodeMemory(1000, 900), Map.of("executor", 40L))).isFalse();
    }
    var unused = growing.ended("young", 10, ContainerEnd.OTHER);
    assertThat(growing.learned().peaks()).isEmpty();
    unused = growing.ended("executor", 40, ContainerEnd.OTHER);
    assertThat(growing.learned().peaks()).hasSize(1);
  }

  @Test
  void theEndShowsHowWellTheNeedWasForeseen() {
    free(100);
    request("c1", 60);
    assertThat(gate.ended("c1", 45, ContainerEnd.COMPLETED)).contains(new PeakEstimate(60, 45));
    assertThat(gate.ended("c1", 45, ContainerEnd.COMPLETED)).isEmpty();
    PeakEstimate tooLittle = new PeakEstimate(40, 45);
    assertThat(tooLittle.overestimatedBytes()).isZero();
    assertThat(tooLittle.underestimatedBytes()).isEqualTo(5);
    assertThat(new PeakEstimate(60, 45).overestimatedBytes()).isEqualTo(15);
    assertThat(new PeakEstimate(60, 0).isMeasured()).isFalse();
  }

  private LaunchDecision request(String id, long bytes) {
    LaunchRequest request = ContainerInfos.bestEffort(id, bytes).launchRequest();
    return gate.request(request);
  }

  private boolean free(long bytes) {
    nanos += 1;
    return gate.observed(new NodeMemory(1000, bytes), Map.of());
  }
}
