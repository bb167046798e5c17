/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.LaunchDecision.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsCoverage;
import net.jqwik.api.statistics.StatisticsReport;

/** Properties for every sequence of calls, wherever the caller's clock starts. */
class LocalSchedulerPropertyTest {

  @Provide
  Arbitrary<List<Step>> steps() {
    return Step.sequences();
  }

  @Provide
  Arbitrary<Long> clockStarts() {
    return Step.clockStarts();
  }

  @Property
  void launchesNeverExceedWhatTheSnapshotHeld(
      @ForAll("steps") List<Step> steps, @ForAll("clockStarts") long startNanos) {
    assertThat(Replay.ofSnapshotPolicy(startNanos).all(steps))
        .filteredOn(Replay.Asked::launched)
        .allSatisfy(
            asked -> {
              assertThat(asked.memoryKnown()).isTrue();
              assertThat(asked.expectedPeakBytes()).isLessThanOrEqualTo(asked.availableBytes());
            });
  }

  @Property
  void bestEffortStartsInOrderOfArrival(
      @ForAll("steps") List<Step> steps, @ForAll("clockStarts") long startNanos) {
    Replay replay = Replay.ofSnapshotPolicy(startNanos);
    for (Step step : steps) {
      replay
          .apply(step)
          .filter(Replay.Asked::launched)
          .ifPresent(asked -> assertThat(asked.isNext()).isTrue());
      assertThat(replay.waitingRequests())
          .extracting(LaunchRequest::containerId)
          .isEqualTo(replay.waiting());
    }
  }

  /** Without this property, a scheduler that starts nothing would satisfy all the others. */
  @Property
  void bestEffortStartsAsSoonAsNothingStandsAgainstIt(
      @ForAll("steps") List<Step> steps, @ForAll("clockStarts") long startNanos) {
    assertThat(Replay.ofSnapshotPolicy(startNanos).all(steps))
        .filteredOn(asked -> asked.bestEffort() && !asked.ran())
        .filteredOn(Replay.Asked::mayStart)
        .allSatisfy(asked -> assertThat(asked.decision().outcome()).isEqualTo(Outcome.LAUNCHED));
  }

  @Property
  void nothingBestEffortStartsWhileLaunchesAreDelayed(
      @ForAll("steps") List<Step> steps, @ForAll("clockStarts") long startNanos) {
    assertThat(Replay.ofSnapshotPolicy(startNanos).all(steps))
        .filteredOn(Replay.Asked::delayed)
        .noneMatch(Replay.Asked::launched);
  }

  @Property
  void queueKeepsItsLimitAndBeyondItContainersAreRejected(
      @ForAll("steps") List<Step> steps, @ForAll("clockStarts") long startNanos) {
    Replay replay = Replay.ofSnapshotPolicy(startNanos);
    for (Step step : steps) {
      replay
          .apply(step)
          .filter(asked -> asked.bestEffort() && !asked.launched() && !asked.ran())
          .ifPresent(
              asked ->
                  assertThat(asked.decision().outcome())
                      .isEqualTo(
                          asked.waited() || asked.waitedBefore().size() < Replay.QUEUE_LIMIT
                              ? Outcome.QUEUED
                              : Outcome.REJECTED));
      assertThat(replay.waitingRequests()).hasSizeLessThanOrEqualTo(Replay.QUEUE_LIMIT);
    }
  }

  @Property
  void guaranteedIsNeverGatedAndNeverCharged(
      @ForAll("steps") List<Step> steps, @ForAll("clockStarts") long startNanos) {
    Replay replay = Replay.ofSnapshotPolicy(startNanos);
    for (Step step : steps) {
      replay.apply(step);
      long launchableBytes = replay.scheduler().launchableBytes();
      LaunchRequest huge =
          new LaunchRequest(
              "production",
              ExecutionType.GUARANTEED,
              new JobKey("job0"),
              new Owner("alice", "application_1"),
              Long.MAX_VALUE);
      assertThat(replay.scheduler().request(huge, replay.nowNanos()).outcome())
          .isEqualTo(Outcome.LAUNCHED);
      assertThat(replay.scheduler().launchableBytes()).isEqualTo(launchableBytes);
    }
  }

  @Property
  void snapshotAgreesWithAnIndependentAccountAfterEveryStep(
      @ForAll("steps") List<Step> steps, @ForAll("clockStarts") long startNanos) {
    Replay replay = Replay.ofSnapshotPolicy(startNanos);
    for (Step step : steps) {
      replay.apply(step);
      assertThat(replay.scheduler().launchableBytes())
          .isEqualTo(replay.books().known() ? replay.books().availableBytes() : 0);
      assertThat(replay.scheduler().running())
          .allMatch(container -> replay.books().runs(container.request().containerId()));
    }
  }

  @Property
  void everyChargeReturnsOnceWhenItsContainerIsGone(
      @ForAll("steps") List<Step> steps,
      @ForAll("steps") List<Step> more,
      @ForAll("clockStarts") long startNanos) {
    Replay replay = Replay.ofSnapshotPolicy(startNanos);
    replay.all(steps);
    List<Long> usedBytes = List.of(1L, 5L, 10L, 20L, 30L, 40L, 50L, 60L);
    replay.apply(new Step.Observed(Replay.RESYNC.toNanos(), 100, usedBytes));
    long whenAllHaveEndedBytes = 100;
    for (int container = 0; container < Step.CONTAINERS; container++) {
      if (replay.books().runs("c" + container)) {
        whenAllHaveEndedBytes += usedBytes.get(container);
      }
    }
    replay.all(
        more.stream()
            .filter(step -> !(step instanceof Step.Observed || step instanceof Step.Unobserved))
            .toList());

    for (int container = 0; container < Step.CONTAINERS; container++) {
      boolean ran = replay.books().runs("c" + container);
      assertThat(replay.end(container, 0)).isEqualTo(ran);
      assertThat(replay.end(container, 0)).isFalse();
    }

    assertThat(replay.scheduler().running()).isEmpty();
    assertThat(replay.waitingRequests()).isEmpty();
    assertThat(replay.scheduler().launchableBytes()).isEqualTo(whenAllHaveEndedBytes);
  }

  @Property
  void sameCallsGiveTheSameDecisionsWhereverTheClockStarts(
      @ForAll("steps") List<Step> steps, @ForAll("clockStarts") long startNanos) {
    Replay one = Replay.ofSnapshotPolicy(startNanos);
    Replay same = Replay.ofSnapshotPolicy(startNanos);
    Replay fromZero = Replay.ofSnapshotPolicy(0);
    for (Step step : steps) {
      Optional<LaunchDecision> decision = one.apply(step).map(Replay.Asked::decision);
      assertThat(same.apply(step).map(Replay.Asked::decision)).isEqualTo(decision);
      assertThat(fromZero.apply(step).map(Replay.Asked::decision)).isEqualTo(decision);
      assertThat(same.scheduler().running()).isEqualTo(one.scheduler().running());
      assertThat(same.waitingRequests()).isEqualTo(one.waitingRequests());
      assertThat(same.scheduler().launchableBytes()).isEqualTo(one.scheduler().launchableBytes());
      assertThat(same.scheduler().delayedUntilNanos(same.nowNanos()))
          .isEqualTo(one.scheduler().delayedUntilNanos(one.nowNanos()));
      assertThat(fromZero.waitingRequests()).isEqualTo(one.waitingRequests());
      assertThat(fromZero.scheduler().launchableBytes())
          .isEqualTo(one.scheduler().launchableBytes());
    }
  }

  @Property
  void judgingTheFirstForetellsItsRequestAndChangesNothing(
      @ForAll("steps") List<Step> steps, @ForAll("clockStarts") long startNanos) {
    Replay replay = Replay.ofSnapshotPolicy(startNanos);
    for (Step step : steps) {
      replay.apply(step);
      List<LaunchRequest> waiting = replay.waitingRequests();
      Optional<LaunchVerdict> foretold = replay.scheduler().judgeFirst(replay.nowNanos());
      assertThat(replay.scheduler().judgeFirst(replay.nowNanos())).isEqualTo(foretold);
      assertThat(foretold)
          .isEqualTo(
              waiting.stream()
                  .findFirst()
                  .map(replay::ask)
                  .map(asked -> asked.decision().verdict()));
    }
  }

  /** The sequences reach the states that the properties describe; else these would be trivial. */
  @Property
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  void sequencesReachEveryKindOfDecision(@ForAll("steps") List<Step> steps) {
    Replay replay = Replay.ofSnapshotPolicy(0);
    replay
        .all(steps)
        .forEach(asked -> Statistics.label("reasons").collect(asked.decision().verdict().reason()));
    Set<LaunchVerdict.Reason> ofOthers =
        Set.of(
            LaunchVerdict.Reason.ONE_AT_A_TIME,
            LaunchVerdict.Reason.RESERVED,
            LaunchVerdict.Reason.FROZEN,
            LaunchVerdict.Reason.STOPPED,
            LaunchVerdict.Reason.PROCESSORS_BUSY,
            LaunchVerdict.Reason.STARTING_LIMIT);
    for (LaunchVerdict.Reason reason : LaunchVerdict.Reason.values()) {
      if (!ofOthers.contains(reason)) {
        Statistics.label("reasons")
            .coverage((StatisticsCoverage seen) -> seen.check(reason).percentage(p -> p > 1));
      }
    }
  }
}
