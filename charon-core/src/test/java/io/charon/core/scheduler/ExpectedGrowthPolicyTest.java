/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.scheduler.LaunchVerdict.Reason;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests launches by expected growth and a margin for its sum. */
class ExpectedGrowthPolicyTest {
  private static final JobKey JOB = new JobKey("sort");
  private static final long SECOND = 1_000_000_000;
  private static final long CAPACITY = 10_000;

  /** The initial margin of the node. */
  private static final long MARGIN = 500;

  private final PeakProfile profile = new PeakProfile(20, 95);
  private final SafetyMargin margin = new SafetyMargin(1);
  private final Map<String, Long> used = new HashMap<>();

  private final ExpectedGrowthPolicy policy =
      new ExpectedGrowthPolicy(profile, margin, Duration.ofSeconds(5), Duration.ofSeconds(7));

  private static LaunchRequest request(String id, String application, long bytes) {
    return request(id, application, JOB, bytes);
  }

  private static LaunchRequest request(String id, String application, JobKey job, long bytes) {
    return new LaunchRequest(
        id, ExecutionType.OPPORTUNISTIC, job, new Owner("alice", application), bytes);
  }

  private void read(long available, long seconds) {
    policy.observed(new NodeMemory(CAPACITY, available), used, seconds * SECOND);
  }

  private Reason ask(LaunchRequest request, long seconds) {
    LaunchVerdict verdict = policy.judge(request, request.requestedBytes(), seconds * SECOND);
    assertThat(verdict.launch()).isEqualTo(verdict.reason() == Reason.FITS);
    if (verdict.launch()) {
      policy.launched(request, request.requestedBytes(), seconds * SECOND);
    }
    return verdict.reason();
  }

  /** Records containers with a mean of 200 and a deviation of 100. */
  private void know() {
    for (long peak : new long[] {100, 200, 300}) {
      profile.record(JOB, 1000, peak, 0);
    }
  }

  @Test
  void nothingStartsBeforeTheFirstReadingOrWithinTheDelayAfterAKill() {
    assertThat(ask(request("a", "1", 1), 0)).isEqualTo(Reason.MEMORY_UNKNOWN);
    read(1000, 0);
    policy.killed(SECOND);
    assertThat(ask(request("a", "1", 1), 7)).isEqualTo(Reason.DELAYED_AFTER_KILL);
    assertThat(policy.delayedUntilNanos(SECOND)).isEqualTo(8 * SECOND);
    assertThat(ask(request("a", "1", 1), 8)).isEqualTo(Reason.FITS);
    policy.unobserved();
    assertThat(policy.launchableBytes()).isZero();
    assertThat(ask(request("b", "1", 1), 9)).isEqualTo(Reason.MEMORY_UNKNOWN);
  }

  @Test
  void anUnknownJobCountsWithItsRequestUntilItHasGrown() {
    read(1000 + MARGIN, 0);
    assertThat(ask(request("a", "1", 400), 0)).isEqualTo(Reason.FITS);
    assertThat(ask(request("b", "2", 400), 0)).isEqualTo(Reason.FITS);
    assertThat(ask(request("c", "3", 400), 0)).isEqualTo(Reason.MEMORY);
    // The first container now uses its request: it is part of the reading and not expected to grow.
    used.put("a", 400L);
    read(600 + MARGIN, 5);
    assertThat(policy.launchableBytes()).isEqualTo(200);
    policy.ended("a");
    assertThat(policy.launchableBytes()).isEqualTo(600);
    policy.ended("a");
    assertThat(policy.launchableBytes()).as("told twice").isEqualTo(600);
  }

  @Test
  void whatOtherJobsOfItsWiderKeyNeedSaysNothingOfAJob() {
    profile.record(new JobKey("other", "all"), 1000, 1, 0);
    profile.record(new JobKey("other", "all"), 1000, 1, 0);
    profile.record(new JobKey("other", "all"), 1000, 1, 0);
    read(900 + MARGIN, 0);
    assertThat(ask(request("a", "1", new JobKey("new", "all"), 500), 0)).isEqualTo(Reason.FITS);
    assertThat(ask(request("b", "1", new JobKey("new", "all"), 500), 0)).isEqualTo(Reason.MEMORY);
    assertThat(ask(request("c", "1", new JobKey("other", "all"), 500), 0)).isEqualTo(Reason.FITS);
  }

  @Test
  void tasksOfOneApplicationNeedMoreRoomThanThoseOfSeveral() {
    know();
    read(CAPACITY, 0);
    for (int i = 0; i < 4; i++) {
      assertThat(ask(request("a" + i, "1", 1000), 0)).isEqualTo(Reason.FITS);
    }
    // Four means of 200, and twice a deviation of 400.
    assertThat((double) policy.launchableBytes())
        .isCloseTo(CAPACITY - MARGIN - 800 - 2 * 400, within(1.0));
    for (int i = 0; i < 4; i++) {
      policy.ended("a" + i);
      assertThat(ask(request("b" + i, "of " + i, 1000), 0)).isEqualTo(Reason.FITS);
    }
    assertThat((double) policy.launchableBytes())
        .isCloseTo(CAPACITY - MARGIN - 800 - 2 * 200, within(1.0));
  }

  @Test
  void aContainerWithConstantMemoryForAMinuteHasSettled() {
    know();
    read(CAPACITY, 0);
    ask(request("a", "1", 1000), 0);
    used.put("a", 50L);
    read(CAPACITY - 50, 60);
    assertThat(policy.launchableBytes())
        .as("150 of its mean are missing, and two deviations")
        .isEqualTo(CAPACITY - 50 - MARGIN - 150 - 200);
    read(CAPACITY - 50, 115);
    assertThat(policy.launchableBytes()).isEqualTo(CAPACITY - 50 - MARGIN - 150 - 200);
    used.put("a", 55L);
    read(CAPACITY - 55, 120);
    assertThat((double) policy.launchableBytes())
        .as("it has grown by a tenth, and may do so again")
        .isCloseTo(CAPACITY - 55 - MARGIN - 2 * 5.5, within(1.0));
    used.put("a", 70L);
    read(CAPACITY - 70, 180);
    assertThat(policy.launchableBytes())
        .as("it grows again")
        .isEqualTo(CAPACITY - 70 - MARGIN - 130 - 200);
  }

  /** With a processor for hundreds of containers, each takes minutes instead of seconds. */
  @Test
  void aSlowlyGrowingContainerIsStillExpectedToReachItsJobsPeak() {
    know();
    read(CAPACITY, 0);
    ask(request("a", "1", 1000), 0);
    for (int minute = 1; minute <= 10; minute++) {
      used.put("a", 10L + minute * 12L);
      read(CAPACITY - 10 - minute * 12L, 60L * minute);
      if (minute <= 6) {
        assertThat(policy.launchableBytes()).isEqualTo(CAPACITY - MARGIN - 200 - 200);
      }
    }
  }

  @Test
  void threeThatHaveSettledTellAboutTheirJob() {
    read(CAPACITY, 0);
    for (int i = 0; i < 3; i++) {
      ask(request("c" + i, "1", 1000), 0);
      used.put("c" + i, 100L);
    }
    read(CAPACITY - 300, 60);
    assertThat(policy.judge(request("d", "2", 1000), 1000, 60 * SECOND).neededBytes())
        .isEqualTo(1000);
    read(CAPACITY - 300, 120);
    assertThat(policy.judge(request("d", "2", 1000), 1000, 120 * SECOND).neededBytes())
        .as("a mean of 100, and at most twice a deviation of a tenth of it")
        .isBetween(100L, 120L);
    assertThat(policy.judge(request("d", "2", 70), 70, 120 * SECOND).neededBytes())
        .as("never more than twice of what was asked for")
        .isLessThan(140);
  }

  @Test
  void aContainerWhoseMemoryCannotBeReadIsChargedAsLongAsItLives() {
    know();
    read(CAPACITY, 0);
    ask(request("a", "1", 1000), 0);
    for (int minute = 1; minute <= 5; minute++) {
      read(CAPACITY, 60L * minute);
    }
    assertThat(policy.launchableBytes()).isEqualTo(CAPACITY - MARGIN - 200 - 200);
  }

  @Test
  void aContainerThatCanNoLongerBeReadKeepsItsUseAndDoesNotSettle() {
    know();
    read(CAPACITY, 0);
    ask(request("a", "1", 1000), 0);
    used.put("a", 50L);
    read(CAPACITY - 50, 60);
    used.remove("a");
    for (int minute = 2; minute <= 5; minute++) {
      read(CAPACITY - 50, 60L * minute);
      assertThat(policy.hasSettled("a")).isFalse();
      assertThat(policy.launchableBytes()).isEqualTo(CAPACITY - 50 - MARGIN - 150 - 200);
    }
    assertThat(policy.expectedHeldBytes()).hasValue(50 + 150 + 200);
  }

  @Test
  void aContainerWhoseNameIsFoundLaterIsExpectedToNeedItsJobsPeak() {
    know();
    read(CAPACITY, 0);
    ask(request("a", "1", new JobKey("unknown"), 1000), 0);
    assertThat(policy.launchableBytes()).isEqualTo(CAPACITY - MARGIN - 1000);
    policy.jobKnown(request("a", "1", 1000));
    policy.jobKnown(request("nobody", "1", 1000));
    read(CAPACITY, 5);
    assertThat(policy.launchableBytes()).isEqualTo(CAPACITY - MARGIN - 200 - 200);
  }

  @Test
  void aKillWidensTheMarginAndWaitingNarrowsIt() {
    read(CAPACITY, 0);
    policy.killed(SECOND);
    assertThat(policy.launchableBytes()).isEqualTo(CAPACITY - MARGIN - CAPACITY / 100);
    for (int second = 10; second <= 3610; second++) {
      assertThat(ask(request("large", "1", CAPACITY), second)).isEqualTo(Reason.MEMORY);
    }
    assertThat((double) policy.launchableBytes()).isCloseTo(CAPACITY - MARGIN, within(1.0));
  }

  @Test
  void whatWasLearnedNeverShutsAJobOutOfAnEmptyNode() {
    for (int i = 0; i < 3; i++) {
      profile.record(JOB, 1000, 50_000, 0);
    }
    read(CAPACITY, 0);
    assertThat(ask(request("a", "1", 1000), 0)).isEqualTo(Reason.FITS);
  }

  @Test
  void aKnownJobIsNeverChargedWithMoreThanItsRequest() {
    for (long peak : new long[] {100, 100, 1000}) {
      profile.record(JOB, 1000, peak, 0);
    }
    read(CAPACITY, 0);
    ask(request("first", "1", 1000), 0);
    assertThat(CAPACITY - MARGIN - policy.launchableBytes()).isEqualTo(1000);
    LaunchVerdict second = policy.judge(request("second", "1", 1000), 1000, 0);
    assertThat(second.neededBytes()).isEqualTo(1000);
    used.put("first", 950L);
    read(CAPACITY - 950, 5);
    assertThat(CAPACITY - 950 - MARGIN - policy.launchableBytes()).isEqualTo(50);
  }

  @Test
  void aContainerThatMayStandStillHasNotSettled() {
    read(CAPACITY, 0);
    ask(request("a", "1", 1000), 0);
    used.put("a", 100L);
    for (long second = 5; second <= 180; second += 5) {
      policy.standStill(second * SECOND);
      read(CAPACITY - 100, second);
    }
    assertThat(policy.hasSettled("a")).isFalse();
    assertThat(policy.expectedHeldBytes()).hasValue(1000);
    for (long second = 185; second <= 305; second += 5) {
      read(CAPACITY - 100, second);
    }
    assertThat(policy.hasSettled("a")).isTrue();
    assertThat(policy.expectedHeldBytes()).hasValue(120);
    assertThat(policy.hasSettled("nobody")).isFalse();
  }

  @Test
  void whetherAContainerCouldEverFitDependsOnOthersThanBestEffort() {
    assertThat(policy.couldEverFit(request("a", "1", 9501), 9501)).as("nothing known").isTrue();
    read(CAPACITY, 0);
    ask(request("a", "1", 4000), 0);
    used.put("a", 3000L);
    read(5000, 5);
    assertThat(policy.couldEverFit(request("b", "2", 7500), 7500)).isTrue();
    assertThat(policy.couldEverFit(request("b", "2", 7501), 7501)).isFalse();
    know();
    read(5000, 10);
    assertThat(policy.couldEverFit(request("b", "2", 7501), 7501))
        .as("its job needs less")
        .isTrue();
  }

  @Test
  void rangesAreChecked() {
    assertThatThrownBy(
            () -> new ExpectedGrowthPolicy(profile, margin, Duration.ZERO, Duration.ZERO))
        .hasMessageContaining("resync must be positive");
    read(CAPACITY, 0);
    ask(request("a", "1", 1), 0);
    assertThatThrownBy(() -> policy.launched(request("a", "1", 1), 1, 0))
        .hasMessageContaining("a is running already");
  }
}
