/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static io.charon.core.scheduler.LimitedSchedulers.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.scheduler.LaunchDecision.Outcome;
import io.charon.core.scheduler.LaunchVerdict.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessorLimitsTest {
  private static final long GB = 1L << 30;

  private final LocalScheduler scheduler = scheduler(2);

  @Test
  void bestEffortWaitsFromTheLimitOnAndStartsBelowIt() {
    scheduler.processors().seen(4, 2);
    assertThat(ask("waits").verdict())
        .isEqualTo(new LaunchVerdict(false, Reason.PROCESSORS_BUSY, GB, 0));
    assertThat(scheduler.launchableBytes()).isZero();
    assertThat(scheduler.processors())
        .hasToString("2.00 threads per core run or wait for one, limit 2.0: best-effort waits");

    scheduler.processors().seen(4, 1.99);
    assertThat(scheduler.startFirst(0)).map(LaunchDecision::outcome).contains(Outcome.LAUNCHED);
    assertThat(scheduler.launchableBytes()).isPositive();
    assertThat(scheduler.processors())
        .hasToString("1.99 threads per core run or wait for one, limit 2.0: best-effort may start");
  }

  @Test
  void productionStartsHoweverBusyTheProcessorsAre() {
    scheduler.processors().seen(4, 1000);
    LaunchRequest production = request("production", ExecutionType.GUARANTEED);
    assertThat(scheduler.request(production, 0).outcome()).isEqualTo(Outcome.LAUNCHED);
  }

  @Test
  void aStopIsNamedBeforeBusyProcessors() {
    scheduler.processors().seen(4, 3);
    scheduler.hold(Reason.STOPPED, true);
    assertThat(ask("c1").verdict().reason()).isEqualTo(Reason.STOPPED);
  }

  @Test
  void withoutALimitOrAReadingBestEffortStarts() {
    LocalScheduler unlimited = scheduler(0);
    unlimited.processors().seen(1, 1000);
    assertThat(unlimited.request(request("c1", ExecutionType.OPPORTUNISTIC), 0).outcome())
        .isEqualTo(Outcome.LAUNCHED);
    assertThat(ask("c1").outcome()).as("nothing is known").isEqualTo(Outcome.LAUNCHED);
    scheduler.processors().seen(4, 0);
    assertThat(ask("c2").outcome()).as("no reading").isEqualTo(Outcome.LAUNCHED);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY})
  void aLimitThatIsNoneIsRefused(double perCore) {
    assertThatThrownBy(() -> scheduler(perCore))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("runnablePerCore must be 0 or more");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN})
  void aReadingThatIsNoneIsRefused(double threads) {
    assertThatThrownBy(() -> scheduler.processors().seen(4, threads))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("threads must be 0 or more");
  }

  private LaunchDecision ask(String containerId) {
    return scheduler.request(request(containerId, ExecutionType.OPPORTUNISTIC), 0);
  }

  private static LocalScheduler scheduler(double runnablePerCore) {
    return LimitedSchedulers.scheduler(new ProcessorLimits(StartLimit.NONE, runnablePerCore), 0);
  }
}
