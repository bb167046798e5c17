/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.scheduler.LaunchDecision.Outcome;
import io.charon.core.scheduler.LaunchVerdict.Reason;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StartLimitTest {
  private static final long GB = 1L << 30;
  private static final Duration WINDOW = Duration.ofMillis(1500);
  private static final long WINDOW_NANOS = WINDOW.toNanos();

  /** Near the end of the range, so that the clock wraps around between launch and question. */
  private static final long START = Long.MAX_VALUE - WINDOW_NANOS / 2;

  @ParameterizedTest
  @CsvSource({"1, 2, 2", "1, 64, 64", "0.5, 3, 2", "0.01, 64, 1", "2, 1, 2", "1, 1.5, 2"})
  void asManyStartAtATimeAsTheCoresAllowRoundedUp(double perCore, double cores, int most) {
    LocalScheduler scheduler = scheduler(new StartLimit(perCore, WINDOW), cores);
    for (int task = 0; task < most; task++) {
      assertThat(ask(scheduler, "c" + task, START).outcome()).isEqualTo(Outcome.LAUNCHED);
    }

    LaunchDecision refused = ask(scheduler, "late", START);

    assertThat(refused.outcome()).isEqualTo(Outcome.QUEUED);
    assertThat(refused.verdict())
        .isEqualTo(
            new LaunchVerdict(false, Reason.STARTING_LIMIT, GB, scheduler.launchableBytes()));
    assertThat(scheduler.judgeFirst(START)).contains(refused.verdict());
  }

  @Test
  void aPlaceIsFreeAsSoonAsTheWindowHasPassed() {
    LocalScheduler scheduler = scheduler(new StartLimit(1, WINDOW), 1);
    ask(scheduler, "first", START);

    assertThat(ask(scheduler, "next", START + WINDOW_NANOS - 1).verdict().reason())
        .isEqualTo(Reason.STARTING_LIMIT);
    assertThat(ask(scheduler, "next", START + WINDOW_NANOS).outcome()).isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void oneThatEndsWhileItStartsGivesItsPlaceBack() {
    LocalScheduler scheduler = scheduler(new StartLimit(1, WINDOW), 1);
    ask(scheduler, "short", START);
    scheduler.ended("short", 0);

    assertThat(ask(scheduler, "next", START + 1).outcome()).isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void productionStartsWhateverIsStarting() {
    LocalScheduler scheduler = scheduler(new StartLimit(1, WINDOW), 1);
    ask(scheduler, "first", START);

    LaunchRequest production =
        new LaunchRequest(
            "production",
            ExecutionType.GUARANTEED,
            new JobKey("job"),
            new Owner("alice", "application_1"),
            GB);
    assertThat(scheduler.request(production, START).outcome()).isEqualTo(Outcome.LAUNCHED);
    assertThat(ask(scheduler, "next", START + WINDOW_NANOS).outcome()).isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void containersThatWereFoundRunningDoNotCountAndThoseOfAnotherSchedulerDo() {
    LocalScheduler scheduler = scheduler(new StartLimit(1, WINDOW), 2);
    scheduler.adopt(request("found"), START);
    scheduler.takeOver(request("launched before"), START - WINDOW_NANOS);
    scheduler.takeOver(request("launched just now"), START - WINDOW_NANOS + 1);
    scheduler.jobKnown(request("launched just now"), START);

    assertThat(ask(scheduler, "first", START).outcome()).isEqualTo(Outcome.LAUNCHED);
    assertThat(ask(scheduler, "second", START).verdict().reason()).isEqualTo(Reason.STARTING_LIMIT);
    assertThat(ask(scheduler, "second", START + 1).outcome()).isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void waitingForMemoryIsReportedAsSuch() {
    LocalScheduler scheduler = scheduler(new StartLimit(1, WINDOW), 1);
    ask(scheduler, "first", START);
    scheduler.observed(new NodeMemory(200 * GB, 0), Map.of(), START + 1);
    scheduler.unobserved();

    assertThat(ask(scheduler, "next", START + 1).verdict().reason())
        .isEqualTo(Reason.MEMORY_UNKNOWN);
  }

  @Test
  void withoutALimitAndBeforeTheCoresAreKnownAnyNumberStarts() {
    LocalScheduler unlimited = scheduler(new StartLimit(0, WINDOW), 1);
    LocalScheduler unknown = scheduler(new StartLimit(1, WINDOW));
    for (int task = 0; task < 50; task++) {
      assertThat(ask(unlimited, "c" + task, START).outcome()).isEqualTo(Outcome.LAUNCHED);
      assertThat(ask(unknown, "c" + task, START).outcome()).isEqualTo(Outcome.LAUNCHED);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY})
  void aLimitThatIsNoneIsRefused(double perCore) {
    assertThatThrownBy(() -> new StartLimit(perCore, WINDOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("perCore must be 0 or more");
    assertThatThrownBy(() -> new StartLimit(1, Duration.ofMillis(-1)))
        .hasMessageContaining("window must not be negative");
    assertThatThrownBy(() -> scheduler(StartLimit.NONE, 0)).hasMessageContaining("at least 1 core");
  }

  private static LocalScheduler scheduler(StartLimit limit, double cores) {
    LocalScheduler scheduler = scheduler(limit);
    scheduler.processors().seen(cores, 0);
    return scheduler;
  }

  private static LocalScheduler scheduler(StartLimit limit) {
    return LimitedSchedulers.scheduler(new ProcessorLimits(limit, 0), START);
  }

  private static LaunchDecision ask(LocalScheduler scheduler, String containerId, long nowNanos) {
    return scheduler.request(request(containerId), nowNanos);
  }

  private static LaunchRequest request(String containerId) {
    return LimitedSchedulers.request(containerId, ExecutionType.OPPORTUNISTIC);
  }
}
