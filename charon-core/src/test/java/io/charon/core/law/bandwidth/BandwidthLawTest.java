/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.bandwidth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.law.bandwidth.BandwidthLaw.Allowed;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BandwidthLawTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final double PEAK = 1e10;

  private final BandwidthLaw law = new BandwidthLaw(OptionalDouble.of(PEAK));
  private long nanos;

  private Allowed second(double use, double share) {
    nanos += SECOND;
    return law.decide(nanos, domain(use * PEAK, share * use * PEAK));
  }

  private static BandwidthUse.Domain domain(double total, double bestEffort) {
    return new BandwidthUse.Domain(OptionalDouble.of(total), OptionalDouble.of(bestEffort));
  }

  /** P: 120 up to 20 %, 70 at 40 %, 20 from 60 %; of 120, in tenths. */
  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "0.2, 1",
    "0.3, 0.8",
    "0.4, 0.6",
    "0.5, 0.4",
    "0.6, 0.2",
    "0.9, 0.2",
    "2, 0.2"
  })
  void theShareIsThatOfThePaper(double use, double share) {
    assertThat(BandwidthLaw.shareAt(use)).isCloseTo(share, within(1e-9));
  }

  @Test
  void itTakesAtOnceAndGivesATenthASecond() {
    assertThat(second(0.1, 0.5).cause()).isEqualTo(BandwidthCause.ROOM);
    assertThat(second(0.6, 0.5))
        .isEqualTo(new Allowed(0.2, OptionalDouble.of(PEAK), BandwidthCause.BUSY));
    for (int tenths = 3; tenths <= 10; tenths++) {
      assertThat(second(0.1, 0.5).share()).isCloseTo(tenths / 10.0, within(1e-9));
    }
    assertThat(second(0.1, 0.5).share()).isEqualTo(BandwidthLaw.ALL);
    second(0.6, 0.5);
    nanos += SECOND / 10 - SECOND;
    assertThat(second(0.1, 0.5).share())
        .as("a tenth of a second later")
        .isCloseTo(0.2, within(1e-9));
  }

  @Test
  void itStaysInItsRangeWhateverComes() {
    SplittableRandom random = new SplittableRandom(1);
    double before = 1;
    for (int i = 0; i < 10_000; i++) {
      double use = 3 * random.nextDouble();
      double share = second(use, random.nextDouble()).share();
      assertThat(share).isBetween(0.2 - 1e-9, 1.0);
      assertThat(share - before).isLessThanOrEqualTo(0.1 + 1e-9);
      before = share;
    }
  }

  @Test
  void aContainerThatUsesLittleIsLeftAlone() {
    assertThat(second(0.9, 0.09).cause()).isEqualTo(BandwidthCause.OTHERS);
    assertThat(second(0.9, 0.09).share()).isEqualTo(BandwidthLaw.ALL);
    assertThat(second(0.9, 0.11).share()).isCloseTo(0.2, within(1e-9));
  }

  @Test
  void unreadInputChangesNothing() {
    second(0.9, 0.5);
    nanos += 100 * SECOND;
    Allowed blind =
        law.decide(nanos, new BandwidthUse.Domain(OptionalDouble.empty(), OptionalDouble.empty()));
    assertThat(blind.cause()).isEqualTo(BandwidthCause.UNSEEN);
    assertThat(blind.share()).isCloseTo(0.2, within(1e-9));
  }

  @Test
  void withoutAPeakItLearnsForADayAndForgetsAfterAnother() {
    BandwidthLaw learning = new BandwidthLaw(OptionalDouble.empty());
    long day = Duration.ofHours(24).toNanos();
    assertThat(learning.decide(0, domain(PEAK, PEAK)).cause()).isEqualTo(BandwidthCause.LEARNING);
    for (long now = day / 24; now <= day; now += day / 24) {
      Allowed allowed = learning.decide(now, domain(PEAK / 10, PEAK / 20));
      assertThat(allowed.share()).isEqualTo(BandwidthLaw.ALL);
    }
    Allowed learned = learning.decide(day, domain(0.6 * PEAK, 0.6 * PEAK));
    assertThat(learned.peak()).hasValue(PEAK);
    assertThat(learned.share()).isCloseTo(0.2, within(1e-9));
    assertThat(learning.decide(day + SECOND, domain(0, 0)).peak()).hasValue(0.6 * PEAK);
    BandwidthLaw idle = new BandwidthLaw(OptionalDouble.empty());
    idle.decide(0, domain(0, 0));
    assertThat(idle.decide(day, domain(0, 0)).cause()).isEqualTo(BandwidthCause.LEARNING);
  }
}
