/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.LaunchDecision.Outcome;
import io.charon.core.scheduler.LaunchVerdict.Reason;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LocalSchedulerTest {
  private static final long GB = 1L << 30;
  private static final JobKey JOB = new JobKey("word count");
  private static final Owner OWNER = new Owner("alice", "application_1");
  private static final Duration DELAY = Duration.ofSeconds(7);

  private final LocalScheduler scheduler = scheduler(10);

  @Test
  void ofTenTasksOfFourGigabytesTwoStartOnTenFreeAndTwoStayFree() {
    free(10 * GB, 0);
    for (int task = 0; task < 10; task++) {
      assertThat(ask("task" + task, 4 * GB).outcome())
          .isEqualTo(task < 2 ? Outcome.LAUNCHED : Outcome.QUEUED);
    }
    assertThat(scheduler.launchableBytes()).isEqualTo(2 * GB);
  }

  @Test
  void containersThatHaveNotGrownYetAreNotForgottenByTheNextReading() {
    free(10 * GB, 0);
    ask("first", 4 * GB);
    ask("second", 4 * GB);
    ask("third", 4 * GB);

    free(10 * GB, Duration.ofSeconds(5).toNanos());

    assertThat(scheduler.launchableBytes()).isEqualTo(2 * GB);
    assertThat(ask("third", 4 * GB).verdict().reason()).isEqualTo(Reason.MEMORY);
  }

  @Test
  void learnedPeakAboveAllThereIsDelaysItsJobButDoesNotShutItOut() {
    free(10 * GB, 0);
    for (int task = 0; task < PeakProfile.MINIMUM_SAMPLES; task++) {
      ask("greedy" + task, GB);
      scheduler.ended("greedy" + task, 20 * GB);
    }

    assertThat(ask("alone", GB).outcome()).isEqualTo(Outcome.LAUNCHED);
    assertThat(ask("beside", GB).verdict().reason()).isEqualTo(Reason.MEMORY);
  }

  @Test
  void theFirstInTheQueueStartsOnceThereIsMemory() {
    free(GB, 0);
    assertThat(scheduler.startFirst(0)).as("none waits").isEmpty();
    assertThat(ask("first", 2 * GB).outcome()).isEqualTo(Outcome.QUEUED);
    assertThat(scheduler.startFirst(0))
        .hasValueSatisfying(still -> assertThat(still.verdict().reason()).isEqualTo(Reason.MEMORY));
    assertThat(scheduler.waitingCount()).isEqualTo(1);
    long later = Duration.ofSeconds(10).toNanos();
    free(2 * GB, later);
    assertThat(scheduler.startFirst(later))
        .hasValueSatisfying(started -> assertThat(started.outcome()).isEqualTo(Outcome.LAUNCHED));
    assertThat(scheduler.waitingCount()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"STOPPED", "FROZEN"})
  void nothingBestEffortStartsWhileLaunchesAreHeld(Reason reason) {
    free(16 * GB, 0);
    scheduler.hold(reason, true);
    assertThat(ask("first", GB).verdict()).isEqualTo(new LaunchVerdict(false, reason, GB, 0));
    assertThat(scheduler.judgeFirst(0)).map(LaunchVerdict::launch).contains(false);
    assertThat(scheduler.launchableBytes()).isZero();
    assertThat(guaranteed("production")).isEqualTo(Outcome.LAUNCHED);

    scheduler.hold(reason, false);
    assertThat(scheduler.launchableBytes()).isEqualTo(16 * GB);
    assertThat(ask("first", GB).outcome()).isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void launchesAreHeldUntilNoReasonIsLeft() {
    free(16 * GB, 0);
    scheduler.hold(Reason.FROZEN, true);
    scheduler.hold(Reason.STOPPED, true);
    assertThat(scheduler.holds()).containsExactlyInAnyOrder(Reason.FROZEN, Reason.STOPPED);
    assertThat(ask("first", GB).verdict().reason()).isEqualTo(Reason.STOPPED);
    scheduler.hold(Reason.STOPPED, false);
    assertThat(ask("first", GB).verdict().reason()).isEqualTo(Reason.FROZEN);
    scheduler.hold(Reason.FROZEN, false);
    assertThat(ask("first", GB).outcome()).isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void bestEffortTogetherMayHoldNoMoreThanItsBound() {
    scheduler.bound(OptionalLong.of(5 * GB));
    free(16 * GB, 0);
    assertThat(ask("first", 3 * GB).outcome()).isEqualTo(Outcome.LAUNCHED);
    LaunchDecision second = ask("second", 3 * GB);
    assertThat(second.outcome()).isEqualTo(Outcome.QUEUED);
    assertThat(second.verdict())
        .isEqualTo(new LaunchVerdict(false, Reason.RESERVED, 3 * GB, 2 * GB));
    assertThat(scheduler.judgeFirst(0)).contains(second.verdict());
    assertThat(guaranteed("production")).isEqualTo(Outcome.LAUNCHED);

    scheduler.bound(OptionalLong.of(6 * GB));
    scheduler.observed(
        new NodeMemory(200 * GB, 100 * GB),
        Map.of("first", 4 * GB),
        Duration.ofSeconds(10).toNanos());
    assertThat(ask("second", 3 * GB).verdict().limitBytes()).as("it outgrew").isEqualTo(2 * GB);
    for (int seconds = 20; seconds <= 30; seconds += 10) {
      free(16 * GB, Duration.ofSeconds(seconds).toNanos());
      assertThat(ask("second", 3 * GB).verdict().limitBytes()).as("unreadable").isEqualTo(2 * GB);
    }

    scheduler.bound(OptionalLong.empty());
    assertThat(ask("second", 3 * GB).outcome()).isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void noMoreIsReportedAsLaunchableThanTheBoundLeaves() {
    scheduler.bound(OptionalLong.of(5 * GB));
    free(16 * GB, 0);
    assertThat(scheduler.launchableBytes()).isEqualTo(5 * GB);
    ask("first", 3 * GB);
    assertThat(scheduler.launchableBytes()).isEqualTo(2 * GB);
    scheduler.bound(OptionalLong.empty());
    assertThat(scheduler.launchableBytes()).isEqualTo(13 * GB);
  }

  @Test
  void whatSettledContainersDoNotUseIsThereForOthersWithinTheBound() {
    LocalScheduler growing = growing();
    growing.bound(OptionalLong.of(10 * GB));
    Map<String, Long> used = new HashMap<>();
    observe(growing, 60 * GB, used, 0);
    for (int task = 0; task < 5; task++) {
      assertThat(ask(growing, "task" + task, "application_1", 2 * GB, 0).outcome())
          .isEqualTo(Outcome.LAUNCHED);
      used.put("task" + task, 2 * GB / 5);
    }
    assertThat(ask(growing, "next", "application_1", 2 * GB, 0).verdict().reason())
        .isEqualTo(Reason.RESERVED);
    for (int seconds = 5; seconds <= 120; seconds += 5) {
      observe(growing, 58 * GB, used, seconds);
    }
    assertThat(growing.hasSettled("task0")).isTrue();
    assertThat(growing.startFirst(Duration.ofMinutes(2).toNanos()))
        .hasValueSatisfying(next -> assertThat(next.outcome()).isEqualTo(Outcome.LAUNCHED));
  }

  @Test
  void containersOfAStoppedBestEffortDoNotSettle() {
    LocalScheduler growing = growing();
    observe(growing, 60 * GB, Map.of(), 0);
    ask(growing, "task", "application_1", 2 * GB, 0);
    growing.hold(Reason.STOPPED, true);
    for (int seconds = 5; seconds <= 180; seconds += 5) {
      observe(growing, 59 * GB, Map.of("task", GB), seconds);
    }
    assertThat(growing.hasSettled("task")).isFalse();
  }

  @Test
  void oneThatProductionLeavesNoRoomForHoldsUpNobody() {
    LocalScheduler growing = growing();
    observe(growing, 24 * GB, Map.of(), 0);
    assertThat(ask(growing, "huge", "application_1", 40 * GB, 0).verdict().reason())
        .isEqualTo(Reason.MEMORY);
    assertThat(ask(growing, "small", "application_2", 2 * GB, 0).outcome())
        .isEqualTo(Outcome.LAUNCHED);
    assertThat(growing.startFirst(0))
        .hasValueSatisfying(huge -> assertThat(huge.containerId()).isEqualTo("huge"));

    observe(growing, 24 * GB, Map.of("small", 20 * GB), 5);
    long later = Duration.ofSeconds(5).toNanos();
    assertThat(ask(growing, "late", "application_3", 2 * GB, later).verdict().reason())
        .as("it fits once best-effort has ended")
        .isEqualTo(Reason.NOT_FIRST);
  }

  @Test
  void oneThatTheBoundLeavesNoRoomForHoldsUpNobody() {
    LocalScheduler growing = growing();
    growing.restore(LearnedState.of(othersAt(20, 4), null), 0);
    growing.bound(OptionalLong.of(10 * GB));
    observe(growing, 60 * GB, Map.of(), 0);
    assertThat(ask(growing, "huge", "application_1", 20 * GB, 0).verdict().reason())
        .isEqualTo(Reason.RESERVED);
    assertThat(ask(growing, "small", "application_2", 2 * GB, 0).outcome())
        .isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void killedContainersOfAnUnknownJobDoNotLowerItsNeed() {
    LocalScheduler growing = growing();
    growing.restore(LearnedState.of(othersAt(100, 8), null), 0);
    observe(growing, 60 * GB, Map.of(), 0);
    for (int task = 0; task < 3; task++) {
      assertThat(ask(growing, "task" + task, "application_1", 8 * GB, 0).outcome())
          .isEqualTo(Outcome.LAUNCHED);
      growing.ended("task" + task, 2 * GB, 0, true);
    }
    observe(growing, 60 * GB, Map.of(), 5);
    long later = Duration.ofSeconds(5).toNanos();
    assertThat(ask(growing, "fourth", "application_1", 8 * GB, later).verdict().neededBytes())
        .isEqualTo(8 * GB);
  }

  /** Returns containers of other jobs that used only a part of their requests. */
  private static List<JobPeaks> othersAt(int containers, int part) {
    return IntStream.range(0, containers)
        .mapToObj(
            i ->
                new JobPeaks(
                    new JobKey("other" + i), List.of(new PeakSample(GB, part * GB, i, true))))
        .toList();
  }

  private static LocalScheduler growing() {
    PeakProfile profile = new PeakProfile(20, 95);
    return new LocalScheduler(
        new LaunchQueue(10, new FairShare(Owner::application, Duration.ofDays(1))),
        profile,
        new ExpectedGrowthPolicy(profile, new SafetyMargin(1), Duration.ofSeconds(5), DELAY));
  }

  private static void observe(
      LocalScheduler scheduler, long available, Map<String, Long> used, int seconds) {
    scheduler.observed(
        new NodeMemory(64 * GB, available), used, Duration.ofSeconds(seconds).toNanos());
  }

  private static LaunchDecision ask(
      LocalScheduler scheduler, String id, String application, long bytes, long nowNanos) {
    return scheduler.request(
        new LaunchRequest(
            id, ExecutionType.OPPORTUNISTIC, JOB, new Owner("alice", application), bytes),
        nowNanos);
  }

  @Test
  void guaranteedStartsBeforeAnyReadingAndWhileLaunchesAreDelayed() {
    assertThat(guaranteed("unread")).isEqualTo(Outcome.LAUNCHED);
    free(10 * GB, 0);
    scheduler.killedForMemory(0);
    assertThat(guaranteed("delayed")).isEqualTo(Outcome.LAUNCHED);
    scheduler.unobserved();
    assertThat(guaranteed("unreadable")).isEqualTo(Outcome.LAUNCHED);
    assertThat(scheduler.running()).isEmpty();
  }

  @Test
  void containerPromotedWhileItWaitsNoLongerStandsInTheWay() {
    ask("promoted", GB);
    ask("next", GB);
    free(10 * GB, 0);

    assertThat(guaranteed("promoted")).isEqualTo(Outcome.LAUNCHED);

    assertThat(ask("next", GB).outcome()).isEqualTo(Outcome.LAUNCHED);
    assertThat(scheduler.launchableBytes()).isEqualTo(9 * GB);
  }

  @Test
  void containerThatFitsNeedsNoPlaceInTheQueue() {
    LocalScheduler withoutQueue = scheduler(0);
    withoutQueue.observed(new NodeMemory(16 * GB, 4 * GB), Map.of(), 0);
    assertThat(withoutQueue.request(request("fits", 4 * GB), 0).outcome())
        .isEqualTo(Outcome.LAUNCHED);
    LaunchDecision refused = withoutQueue.request(request("more", GB), 0);
    assertThat(refused.outcome()).isEqualTo(Outcome.REJECTED);
    assertThat(refused.verdict().reason()).isEqualTo(Reason.QUEUE_FULL);
    assertThat(refused.verdict().launch()).isFalse();
  }

  @Test
  void smallOneDoesNotOvertakeALargeOne() {
    free(4 * GB, 0);
    assertThat(ask("large", 5 * GB).verdict().reason()).isEqualTo(Reason.MEMORY);
    assertThat(ask("small", GB).verdict().reason()).isEqualTo(Reason.NOT_FIRST);
  }

  @Test
  void waitingContainerThatAsksForLessKeepsItsPlaceAndStarts() {
    free(4 * GB, 0);
    ask("first", 5 * GB);
    ask("second", GB);
    assertThat(ask("first", 3 * GB).outcome()).isEqualTo(Outcome.LAUNCHED);
    assertThat(scheduler.launchableBytes()).isEqualTo(GB);
  }

  @Test
  void changedRequestOfOneThatIsNotFirstCountsFromThen() {
    ask("first", 5 * GB);
    ask("second", 5 * GB);
    ask("second", GB);
    scheduler.ended("first", 0);
    free(2 * GB, 0);
    assertThat(scheduler.judgeFirst(0)).map(LaunchVerdict::launch).contains(true);
  }

  @Test
  void askingAgainForOneThatRunsChangesNothing() {
    free(10 * GB, 0);
    ask("runs", 4 * GB);
    assertThat(ask("runs", 4 * GB).outcome()).isEqualTo(Outcome.LAUNCHED);
    assertThat(scheduler.launchableBytes()).isEqualTo(6 * GB);
    assertThat(scheduler.running()).hasSize(1);
  }

  @Test
  void adoptedContainerIsChargedOnceAndRunsWhateverTheMemory() {
    scheduler.adopt(request("adopted", 4 * GB), 3);
    scheduler.adopt(request("adopted", 4 * GB), 4);
    free(3 * GB, 5);
    assertThat(scheduler.running())
        .containsExactly(new RunningContainer(request("adopted", 4 * GB), 4 * GB, 3, true));
    assertThat(scheduler.launchableBytes()).isEqualTo(-GB);
  }

  @Test
  void adoptedContainerWaitsNoLonger() {
    ask("adopted", GB);
    scheduler.adopt(request("adopted", GB), 0);
    assertThat(scheduler.waiting(0)).isEmpty();
  }

  @Test
  void measuredPeaksReplaceTheRequestForTheJobOnly() {
    for (int run = 0; run < 3; run++) {
      free(10 * GB, 0);
      ask("run" + run, 8 * GB);
      scheduler.ended("run" + run, 2 * GB);
    }
    ask("profiled", 8 * GB);
    assertThat(scheduler.launchableBytes()).isEqualTo(8 * GB);
    LaunchRequest other =
        new LaunchRequest("other", ExecutionType.OPPORTUNISTIC, new JobKey("sort"), OWNER, 8 * GB);
    scheduler.request(other, 0);
    assertThat(scheduler.launchableBytes()).isZero();
  }

  @Test
  void containerThatNeverRanLeavesNoPeak() {
    for (int run = 0; run < 3; run++) {
      ask("run" + run, 8 * GB);
      assertThat(scheduler.ended("run" + run, GB)).isEmpty();
    }
    free(4 * GB, 0);
    assertThat(ask("next", 8 * GB).outcome()).isEqualTo(Outcome.QUEUED);
  }

  @Test
  void chargeComesBackAsItWasThoughTheProfileHasChanged() {
    free(10 * GB, 0);
    for (String id : new String[] {"a", "b", "c"}) {
      ask(id, 3 * GB);
    }
    for (String id : new String[] {"a", "b", "c"}) {
      scheduler.ended(id, GB);
    }
    assertThat(scheduler.launchableBytes()).isEqualTo(10 * GB);
  }

  @Test
  void decisionReadsAsOneLineWithTheMeasuredValueAndTheLimit() {
    free(3 * GB, 0);
    assertThat(ask("container_1", 4 * GB))
        .hasToString(
            "container_1 QUEUED: it needs more memory than is free now"
                + " (needs 4096 MiB, limit 3072 MiB)");
  }

  private static LocalScheduler scheduler(int queueLimit) {
    return new LocalScheduler(
        new LaunchQueue(queueLimit),
        new PeakProfile(20, 95),
        new SnapshotLaunchPolicy(Duration.ofSeconds(5), DELAY));
  }

  private static LaunchRequest request(String containerId, long bytes) {
    return new LaunchRequest(containerId, ExecutionType.OPPORTUNISTIC, JOB, OWNER, bytes);
  }

  private LaunchDecision ask(String containerId, long bytes) {
    return scheduler.request(request(containerId, bytes), 0);
  }

  private Outcome guaranteed(String containerId) {
    return scheduler
        .request(new LaunchRequest(containerId, ExecutionType.GUARANTEED, JOB, OWNER, 100 * GB), 0)
        .outcome();
  }

  private void free(long availableBytes, long nowNanos) {
    scheduler.observed(new NodeMemory(16 * GB, availableBytes), Map.of(), nowNanos);
  }
}
