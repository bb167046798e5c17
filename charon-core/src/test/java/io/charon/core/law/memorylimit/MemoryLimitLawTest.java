/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.memorylimit.LimitDecision.Move;
import io.charon.core.law.memorylimit.MemoryLimitLaw.FastSample;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A node of 400 MB whose production may keep 210 MB of it. */
class MemoryLimitLawTest {
  private static final long MB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;
  private static final long SAMPLE = 20_000_000L;
  private static final long RIGHT = 210 * MB;

  private final MemoryLimitLaw law = new MemoryLimitLaw(OptionalLong.empty());

  private static LimitBasis basis(long productionMegabytes, long cleanMegabytes) {
    return basis(productionMegabytes, cleanMegabytes, 0, false);
  }

  private static LimitBasis basis(
      long productionMegabytes, long cleanMegabytes, long claimMegabytes, boolean growsIntoExcess) {
    SlowSample sample =
        new SlowSample(
            400 * MB,
            productionMegabytes * MB,
            cleanMegabytes * MB,
            List.of(new Holder("p", productionMegabytes * MB, cleanMegabytes * MB, RIGHT)),
            0,
            0);
    return LimitBasis.of(
        sample, new Reserve(16 * MB, Reserve.Bound.MIN), 0, claimMegabytes * MB, growsIntoExcess);
  }

  private LimitDecision sample(
      long nanos, long productionMegabytes, long bestMegabytes, LimitBasis basis) {
    return law.decide(
        new FastSample(nanos, (productionMegabytes + bestMegabytes) * MB, bestMegabytes * MB, 0),
        basis,
        true);
  }

  @Test
  void aWarmReaderKeepsItsCacheAndTheRestIsBestEfforts() {
    LimitDecision decision = sample(0, 205, 20, basis(205, 200));
    assertThat(decision.limitBytes()).isEqualTo((400 - 205 - 16) * MB);
    assertThat(decision.move()).isEqualTo(Move.TAKE);
    assertThat(decision.dueBytes()).isZero();
  }

  @Test
  void anIdleReservationIsLentUntilItIsUsed() {
    assertThat(sample(0, 10, 0, basis(10, 5)).limitBytes()).isEqualTo(374 * MB);
    LimitDecision grown = sample(SAMPLE, 60, 374, basis(10, 5));
    assertThat(grown.limitBytes()).isEqualTo(324 * MB);
    assertThat(grown.dueBytes()).isEqualTo(50 * MB);
  }

  @Test
  void cacheBeyondTheReservationIsNotTakenBackForAndNotGrownInto() {
    LimitDecision decision = sample(0, 300, 90, basis(300, 290));
    assertThat(decision.excessBytes()).isEqualTo(90 * MB);
    assertThat(decision.dueBytes()).isZero();
    assertThat(decision.limitBytes()).isEqualTo(94 * MB); // its use plus a quarter of R
  }

  @Test
  void itGrowsIntoThatCacheAsLongAsTheKernelTakesItFirst() {
    LimitDecision decision = sample(0, 300, 90, basis(300, 290, 0, true));
    assertThat(decision.limitBytes()).isEqualTo((400 - 210 - 16) * MB);
    assertThat(sample(SAMPLE, 300, 90, basis(300, 290, 0, false)).limitBytes()).isEqualTo(94 * MB);
  }

  @Test
  void memoryBeyondTheReservationThatIsNoCacheIsNeed() {
    assertThat(sample(0, 300, 50, basis(300, 10)).limitBytes()).isEqualTo(84 * MB);
  }

  @Test
  void whatProductionGivesBackIsGivenAfterTenSecondsTwoPercentASecond() {
    sample(0, 210, 170, basis(210, 0));
    assertThat(sample(SECOND, 110, 170, basis(110, 0)).limitBytes()).isEqualTo(174 * MB);
    assertThat(sample(9 * SECOND, 110, 170, basis(110, 0)).move()).isEqualTo(Move.STAY);
    assertThat(sample(10 * SECOND + SAMPLE, 110, 170, basis(110, 0)).move()).isEqualTo(Move.GIVE);
    long limit = 0;
    for (int i = 1; i <= 50; i++) {
      limit = sample(10 * SECOND + SAMPLE + i * SAMPLE, 110, 170, basis(110, 0)).limitBytes();
    }
    assertThat(limit).isBetween(181 * MB, 183 * MB);
    for (int i = 1; i <= 20; i++) {
      limit = sample((12 + i) * SECOND, 110, 170, basis(110, 0)).limitBytes();
    }
    assertThat(limit).isBetween(270 * MB, 274 * MB); // at most a quarter of R below B - P - R
  }

  @Test
  void itContinuesFromALowerForeignLimitAndRisesNoSooner() {
    sample(0, 10, 60, basis(10, 5));
    law.adopt(20 * SECOND, 200 * MB);
    assertThat(sample(20 * SECOND, 10, 60, basis(10, 5)).limitBytes()).isEqualTo(200 * MB);
    assertThat(sample(29 * SECOND, 10, 60, basis(10, 5)).limitBytes()).isEqualTo(200 * MB);
    assertThat(sample(31 * SECOND, 10, 60, basis(10, 5)).limitBytes())
        .isBetween(207 * MB, 208 * MB);
  }

  @Test
  void aSquareWaveOfThirtySecondsMovesItDownOnceAPeriod() {
    int lowered = 0;
    for (int i = 0; i < 30_000; i++) {
      boolean high = i / 1500 % 2 == 0;
      long production = high ? 210 : 110;
      LimitDecision decision = sample(i * SAMPLE, production, 100, basis(production, 0));
      if (decision.move() == Move.TAKE || decision.move() == Move.KEEP) {
        lowered++;
        assertThat(high).isTrue();
      }
    }
    assertThat(lowered).isEqualTo(10);
  }

  @Test
  void aColdStartHoldsBackRaisingAndTakesNothing() {
    sample(0, 10, 100, basis(10, 0));
    long before = sample(SAMPLE, 110, 100, basis(110, 0)).limitBytes();
    LimitDecision claimed = sample(30 * SECOND, 10, 100, basis(10, 0, 150, false));
    assertThat(claimed.limitBytes()).isEqualTo(before);
    assertThat(claimed.dueBytes()).isZero();
    assertThat(sample(31 * SECOND, 10, 100, basis(10, 0, 0, false)).move()).isEqualTo(Move.GIVE);
  }

  @Test
  void withoutSlowLooksItOnlyFalls() {
    sample(0, 210, 100, basis(210, 0));
    FastSample emptier = new FastSample(60 * SECOND, 110 * MB, 100 * MB, 0);
    assertThat(law.decide(emptier, basis(10, 0), false).move()).isEqualTo(Move.STAY);
    FastSample fuller = new FastSample(61 * SECOND, 330 * MB, 100 * MB, 0);
    assertThat(law.decide(fuller, basis(10, 0), false).move()).isEqualTo(Move.TAKE);
  }

  @Test
  void whatOthersLoseBetweenSlowLooksIsNotGivenAsLongAsItMayBeExcess() {
    LimitBasis known = basis(300, 290);
    assertThat(sample(0, 300, 84, known).excessBytes()).isEqualTo(90 * MB);
    assertThat(sample(SAMPLE, 250, 84, known).excessBytes()).isEqualTo(40 * MB);
  }

  @Test
  void anAdoptedLimitIsLoweredAtOnceAndRisesNoEarlier() {
    MemoryLimitLaw adopted = new MemoryLimitLaw(OptionalLong.of(120 * MB));
    LimitDecision first =
        adopted.decide(new FastSample(0, 150 * MB, 100 * MB, 0), basis(50, 0), true);
    assertThat(first.limitBytes()).isEqualTo(120 * MB);
    assertThat(
            adopted
                .decide(new FastSample(5 * SECOND, 150 * MB, 100 * MB, 0), basis(50, 0), true)
                .limitBytes())
        .isEqualTo(120 * MB);
    assertThat(
            adopted
                .decide(new FastSample(6 * SECOND, 400 * MB, 100 * MB, 0), basis(300, 0), true)
                .limitBytes())
        .isEqualTo(84 * MB);
  }

  @Test
  void theKernelsLimitStaysWhereAProcessCanLive() {
    LimitDecision decision = sample(0, 390, 10, basis(390, 0));
    assertThat(decision.limitBytes()).isZero();
    assertThat(decision.enforcedBytes()).isEqualTo(32 * MB);
    assertThat(LaunchRoom.of(decision.limitBytes(), 0, 0, 0).bytes()).isZero();
  }
}
