/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.execution.ReadingAge;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TickWatchdogTest {
  private long nanos = 5;
  private int calls;
  private final TickWatchdog watchdog =
      new TickWatchdog(Duration.ofSeconds(2), () -> nanos, () -> calls++);

  @Test
  void aTickIsLateAfterThreePeriodsAndNotBefore() {
    pass(Duration.ofSeconds(6));
    assertThat(watchdog.late()).isEmpty();
    assertThat(calls).isZero();

    nanos++;
    watchdog.check();
    assertThat(watchdog.late())
        .contains("the last complete tick of Charon was 6 s ago, expected within 6 s");
    assertThat(calls).isEqualTo(1);
  }

  @Test
  void itSaysHowLongTheTickCannotBeLate() {
    assertThat(watchdog.untilLate()).isEqualTo(Duration.ofMillis(6001));

    pass(Duration.ofSeconds(4));
    assertThat(watchdog.untilLate()).isEqualTo(Duration.ofMillis(2001));

    pass(Duration.ofSeconds(4));
    assertThat(watchdog.late()).isPresent();
    assertThat(watchdog.untilLate()).isEqualTo(Duration.ofMillis(1));
  }

  @Test
  void itActsAgainInEveryPeriodWhileATickHangsForAMinuteAndEndsByItself() {
    for (int second = 0; second < 60; second += 2) {
      pass(Duration.ofSeconds(2));
    }
    assertThat(calls).isEqualTo(27);
    assertThat(watchdog.ageNanos()).isEqualTo(Duration.ofSeconds(60).toNanos());

    watchdog.completed();
    watchdog.check();
    assertThat(watchdog.late()).isEmpty();
    assertThat(watchdog.ageNanos()).isZero();
    assertThat(calls).isEqualTo(27);
  }

  @Test
  void aShortPeriodIsLateAfterThreeSeconds() {
    assertThat(ReadingAge.max(Duration.ofMillis(100))).isEqualTo(Duration.ofSeconds(3));
    assertThat(ReadingAge.max(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(3));
    assertThat(ReadingAge.max(Duration.ofSeconds(60))).isEqualTo(Duration.ofMinutes(3));
  }

  @Test
  void itsOwnThreadWatches() throws Exception {
    CountDownLatch late = new CountDownLatch(2);
    AtomicLong clock = new AtomicLong();
    try (TickWatchdog own = new TickWatchdog(Duration.ofMillis(1), clock::get, late::countDown)) {
      own.start();
      clock.set(Duration.ofSeconds(4).toNanos());
      assertThat(late.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    watchdog.check();
  }
}
