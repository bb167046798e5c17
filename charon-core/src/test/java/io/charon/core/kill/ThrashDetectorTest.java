/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ThrashDetectorTest {
  private static final long PERIOD = 100_000_000L;
  private final ThrashDetector detector = detector(Duration.ofSeconds(3));

  private static ThrashDetector detector(Duration tolerance) {
    return new ThrashDetector(tolerance, Duration.ofSeconds(1), 10);
  }

  @Property
  void steadyGrowthIsThrashExactlyFromTheTolerance(
      @ForAll @IntRange(min = 1, max = 300) int tolerancePeriods,
      @ForAll @LongRange(min = 10, max = 100_000) long pagesPerPeriod,
      @ForAll long start) {
    ThrashDetector steady = detector(Duration.ofNanos(tolerancePeriods * PERIOD));
    for (int i = 0; i <= tolerancePeriods + 5; i++) {
      boolean thrash = steady.observe(start + i * PERIOD, i * pagesPerPeriod, true);
      assertThat(thrash).isEqualTo(i >= tolerancePeriods);
    }
  }

  @Property
  void trickleBelowTheMinimumIsNeverThrash(@ForAll @IntRange(min = 0, max = 9) int pagesPerSecond) {
    for (int i = 0; i < 2000; i++) {
      assertThat(detector.observe(i * PERIOD, i / 11 * (long) pagesPerSecond, true)).isFalse();
    }
  }

  @Property
  void growthThatDoesNotCountIsNeverThrash(@ForAll @LongRange(min = 0, max = 1 << 20) long pages) {
    ThrashDetector own = detector(Duration.ofMillis(1));
    for (int i = 0; i < 100; i++) {
      assertThat(own.observe(i * PERIOD, i * pages, false)).isFalse();
    }
  }

  @Test
  void oneFlatSampleDoesNotEndTheStreak() {
    long pages = 0;
    boolean thrash = false;
    for (int i = 0; i <= 30; i++) {
      pages += i % 4 == 3 ? 0 : 100;
      thrash = detector.observe(i * PERIOD, pages, true);
    }
    assertThat(thrash).isTrue();
    assertThat(detector.streakNanos()).hasValue(30 * PERIOD);
  }

  @Test
  void aPauseOfTheReclaimerEndsTheStreak() {
    for (int i = 0; i < 29; i++) {
      assertThat(detector.observe(i * PERIOD, i * 100L, true)).isFalse();
    }
    assertThat(detector.observe(28 * PERIOD + 1_000_000_001L, 9_000, true)).isFalse();
    assertThat(detector.streakNanos()).isEmpty();
  }

  @Test
  void standingStillEndsTheStreak() {
    for (int i = 0; i < 29; i++) {
      assertThat(detector.observe(i * PERIOD, i * 100L, true)).isFalse();
    }
    for (int i = 29; i < 60; i++) {
      assertThat(detector.observe(i * PERIOD, 2_800, true)).isFalse();
    }
  }

  @Test
  void clearingStartsOver() {
    for (int i = 0; i < 30; i++) {
      assertThat(detector.observe(i * PERIOD, i * 100L, true)).isFalse();
    }
    detector.clear();
    for (int i = 30; i < 60; i++) {
      assertThat(detector.observe(i * PERIOD, i * 100L, true)).isFalse();
    }
    assertThat(detector.observe(60 * PERIOD, 6_000, true)).isTrue();
  }

  @Test
  void theToleranceChangesForAStreakUnderWay() {
    detector.tolerate(Duration.ZERO);
    for (int i = 0; i < 100; i++) {
      assertThat(detector.observe(i * PERIOD, i * 100L, true)).isFalse();
    }
    detector.tolerate(Duration.ofSeconds(2));
    assertThat(detector.observe(100 * PERIOD, 10_000, true)).isTrue();
  }

  @Test
  void refusesValuesOutOfRange() {
    assertThatIllegalArgumentException().isThrownBy(() -> detector(Duration.ofSeconds(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ThrashDetector(Duration.ZERO, Duration.ZERO, 10));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ThrashDetector(Duration.ZERO, Duration.ofSeconds(1), 0));
  }
}
