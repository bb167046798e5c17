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
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Launches by expected growth and a margin for its sum. */
class ExpectedGrowthPolicyTest {
  private static final JobKey JOB = new JobKey("sort");
  private static final long SECOND = 1_000_000_000;
  private static final long CAPACITY = 10_000;

  private final GrowthProfile profile = new GrowthProfile(20);
  private final SafetyMargin margin = new SafetyMargin(2, 1);

  private ExpectedGrowthPolicy policy = policy(false, false);

  private ExpectedGrowthPolicy policy(boolean probes, boolean learnsEarly) {
    return new ExpectedGrowthPolicy(
        profile, margin, Duration.ofSeconds(5), Duration.ofSeconds(7), probes, learnsEarly);
  }

  private static LaunchRequest request(String id, String application, long bytes) {
    return new LaunchRequest(
        id, ExecutionType.OPPORTUNISTIC, JOB, new Owner("alice", application), bytes);
  }

  private void read(long available, long seconds, Map<String, Long> used) {
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

  /** Peaks of 100, 200 and 300, reached within five seconds. */
  private void know() {
    for (long peak : new long[] {100, 200, 300}) {
      long[] ages = new long[GrowthProfile.AGES_SECONDS.length];
      Arrays.fill(ages, peak);
      profile.record(JOB, new GrowthSample(1000, peak, ages));
    }
  }

  @Test
  void nothingStartsBeforeTheFirstReadingOrWithinTheDelayAfterAKill() {
    assertThat(ask(request("a", "1", 1), 0)).isEqualTo(Reason.MEMORY_UNKNOWN);
    read(1000, 0, Map.of());
    policy.killed(SECOND);
    assertThat(ask(request("a", "1", 1), 7)).isEqualTo(Reason.DELAYED_AFTER_KILL);
    assertThat(policy.delayedUntilNanos(SECOND)).isEqualTo(8 * SECOND);
    assertThat(ask(request("a", "1", 1), 8)).isEqualTo(Reason.FITS);
    policy.unobserved();
    assertThat(ask(request("b", "1", 1), 9)).isEqualTo(Reason.MEMORY_UNKNOWN);
  }

  @Test
  void anUnknownJobCountsWithItsRequestUntilItHasGrown() {
    read(1000, 0, Map.of());
    assertThat(ask(request("a", "1", 400), 0)).isEqualTo(Reason.FITS);
    assertThat(ask(request("b", "2", 400), 0)).isEqualTo(Reason.FITS);
    assertThat(ask(request("c", "3", 400), 0)).isEqualTo(Reason.MEMORY);
    // The first now uses what it asked for: it is in the reading and not expected to grow.
    read(600, 5, Map.of("a", 400L));
    assertThat(policy.launchableBytes()).isEqualTo(200);
    policy.ended("a", 400, false);
    assertThat(policy.launchableBytes()).isEqualTo(600);
  }

  @Test
  void tasksOfOneApplicationNeedMoreMarginThanThoseOfSeveral() {
    know();
    for (boolean one : new boolean[] {true, false}) {
      policy = policy(false, false);
      read(10_000, 0, Map.of());
      for (int i = 0; i < 4; i++) {
        assertThat(ask(request("c" + i, one ? "1" : "of " + i, 1000), 0)).isEqualTo(Reason.FITS);
      }
      // Four means of 200, and twice a deviation of 400 or of 200.
      assertThat((double) policy.launchableBytes())
          .isCloseTo(10_000 - 800 - 2 * (one ? 400 : 200), within(1.0));
    }
  }

  @Test
  void whoHasSettledHoldsNothingBack() {
    know();
    read(1000, 0, Map.of());
    ask(request("a", "1", 1000), 0);
    read(900, 10, Map.of("a", 100L));
    assertThat(policy.launchableBytes()).isEqualTo(900);
  }

  @Test
  void aKilledContainerIsNoLessonButItsKillIs() {
    know();
    read(10_000, 0, Map.of());
    ask(request("a", "1", 1000), 0);
    policy.killed(SECOND);
    policy.ended("a", 10, true);
    assertThat(profile.expected(JOB, 1000, 0, 0).meanBytes()).isEqualTo(200);
    assertThat(margin.deviations()).isEqualTo(2.5);
  }

  @Test
  void stableMemoryIsProbedOneContainerAtATime() {
    policy = policy(true, false);
    for (int seconds = 0; seconds <= 30; seconds += 5) {
      read(2000, seconds, Map.of("settled", 100L));
      if (seconds == 0) {
        assertThat(ask(request("settled", "1", 1900), 0)).isEqualTo(Reason.FITS);
      }
      if (seconds < 30) {
        assertThat(ask(request("first", "2", 1500), seconds)).isEqualTo(Reason.MEMORY);
      }
    }
    assertThat(ask(request("first", "2", 1500), 30)).isEqualTo(Reason.FITS);
    assertThat(ask(request("second", "3", 1500), 30)).isEqualTo(Reason.MEMORY);
    // Half a minute later the next, unless memory was short meanwhile.
    for (int seconds = 35; seconds <= 60; seconds += 5) {
      read(seconds == 45 ? 1600 : 1900, seconds, Map.of("settled", 100L, "first", 100L));
      assertThat(ask(request("second", "3", 1500), seconds)).isEqualTo(Reason.MEMORY);
    }
    for (int seconds = 65; seconds <= 85; seconds += 5) {
      read(1900, seconds, Map.of("settled", 100L, "first", 100L));
    }
    assertThat(ask(request("second", "3", 1500), 85)).isEqualTo(Reason.FITS);
  }

  @Test
  void whoRunsForAMinuteSaysSomethingAboutOthers() {
    for (boolean early : new boolean[] {false, true}) {
      GrowthProfile fresh = new GrowthProfile(20);
      policy =
          new ExpectedGrowthPolicy(
              fresh, margin, Duration.ofSeconds(5), Duration.ZERO, false, early);
      read(10_000, 0, Map.of());
      for (int i = 0; i < 3; i++) {
        ask(request("c" + i, "1", 1000), 0);
      }
      read(9_700, 80, Map.of("c0", 100L, "c1", 100L, "c2", 100L));
      assertThat(fresh.expected(JOB, 1000, 0, 0).meanBytes()).isEqualTo(early ? 100 : 1000);
      policy.ended("c0", 400, false);
      policy.ended("c1", 400, false);
      policy.ended("c2", 400, false);
      assertThat(fresh.expected(JOB, 1000, 0, 0).meanBytes()).isEqualTo(400);
    }
  }

  @Test
  void rangesAreChecked() {
    assertThatThrownBy(
            () ->
                new ExpectedGrowthPolicy(
                    profile, margin, Duration.ZERO, Duration.ZERO, false, false))
        .hasMessageContaining("resync must be positive");
  }
}
