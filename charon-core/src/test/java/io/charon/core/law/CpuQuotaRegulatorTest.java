/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.law.CpuQuotaSettings.Worse;
import io.charon.core.mechanism.Change;
import java.time.Duration;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Tests the law of the CPU quota on series computed by hand: w = 5 s, c = 1, 4 cores. */
class CpuQuotaRegulatorTest {
  private static final double CORES = 4;
  private static final double MINIMUM = 0.2;
  private static final double MAXIMUM = 3;
  private static final double START = 1;

  private final Series series = new Series(regulator(Worse.LOWER), CORES, 0);

  private static CpuQuotaRegulator regulator(Worse worse) {
    return new CpuQuotaRegulator(
        new CpuQuotaSettings(
            new RangeSettings(Duration.ofSeconds(5), 1), worse, 0.1, 2, MINIMUM, MAXIMUM, START));
  }

  /** Mean 10, sigma 1.58: inside 8.42 to 11.58, the same phase 6.84 to 13.16. */
  private Decision learnTen() {
    return series.next(50, 8, 9, 10, 11, 12);
  }

  @Test
  void theFirstWindowAffordsNothingThenTheQuotaStarts() {
    assertThat(series.each(50, 8, 9, 10, 11))
        .allSatisfy(decision -> assertThat(decision.limit()).isZero());
    Decision learned = series.next(12);
    assertThat(learned.cause()).isEqualTo(Cause.LEARNED);
    assertThat(learned.limit()).isEqualTo(START);
  }

  @Test
  void insideOfTheRangeTheQuotaGrowsByATenthOfACore() {
    learnTen();
    Decision grown = series.next(10, 8.5, 11.5);
    assertThat(grown.cause()).isEqualTo(Cause.INSIDE);
    assertThat(grown.change()).isEqualTo(Change.WIDEN);
    assertThat(grown.limit()).isCloseTo(START + 0.3, within(1e-12));
  }

  /** While memory is short, samples are a tenth of a second apart. */
  @Test
  void tenSamplesInASecondRaiseTheQuotaOnce() {
    learnTen();
    assertThat(secondOfTen(10).limit()).isCloseTo(START + 0.1, within(1e-12));
    assertThat(secondOfTen(10).limit()).isCloseTo(START + 0.2, within(1e-12));
  }

  @Test
  void tenSamplesInASecondWeighAsMuchAsOne() {
    series.next(50, 8, 9, 10, 11);
    Decision learned = secondOfTen(12);
    assertThat(learned.cause()).isEqualTo(Cause.LEARNED);
    NormalRange range = learned.range().orElseThrow();
    assertThat(range.mean()).isCloseTo(10, within(1e-9));
    assertThat(range.standardDeviation()).isCloseTo(Math.sqrt(10 / (5 - 4.1 / 5)), within(1e-9));
  }

  private Decision secondOfTen(double value) {
    Decision last = null;
    for (int i = 0; i < 10; i++) {
      last = series.jump(-0.9).next(value);
    }
    return last;
  }

  @Test
  void belowTheRangeItIsHalvedDownToTheMinimum() {
    learnTen();
    Decision halved = series.next(8.4);
    assertThat(halved.cause()).isEqualTo(Cause.WORSE);
    assertThat(halved.change()).isEqualTo(Change.TIGHTEN);
    assertThat(halved.limit()).isEqualTo(0.5);
    assertThat(series.next(8.4).limit()).isEqualTo(0.25);
    assertThat(series.next(8.4).limit()).isEqualTo(MINIMUM);
    assertThat(series.next(8.4).change()).isEqualTo(Change.KEEP);
  }

  @Test
  void aboveTheRangeItWaits() {
    learnTen();
    Decision waits = series.next(11.6);
    assertThat(waits.cause()).isEqualTo(Cause.BETTER);
    assertThat(waits.limit()).isEqualTo(START);
  }

  @Test
  void farBelowComesBeforeHalving() {
    learnTen();
    Decision change = series.next(6.8);
    assertThat(change.cause()).isEqualTo(Cause.PHASE_CHANGE);
    assertThat(change.limit()).isEqualTo(MINIMUM);
    assertThat(change.range()).isEmpty();
  }

  @Test
  void farAboveIsANewPhaseToo() {
    learnTen();
    assertThat(series.next(13.2).cause()).isEqualTo(Cause.PHASE_CHANGE);
  }

  @Test
  void aNewPhaseIsLearnedAtTheMinimumAndGoesOnFromThere() {
    learnTen();
    series.next(100);
    assertThat(series.each(98, 99, 100, 101))
        .allSatisfy(
            decision -> {
              assertThat(decision.cause()).isEqualTo(Cause.LEARNING);
              assertThat(decision.limit()).isEqualTo(MINIMUM);
            });
    Decision learned = series.next(102);
    assertThat(learned.cause()).isEqualTo(Cause.LEARNED);
    assertThat(learned.limit()).isEqualTo(MINIMUM);
    assertThat(learned.range().orElseThrow().mean()).isEqualTo(100);
    assertThat(series.next(100).limit()).isCloseTo(MINIMUM + 0.1, within(1e-12));
  }

  @Test
  void theQuotaEndsAtTheMaximum() {
    learnTen();
    for (int second = 0; second < 40; second++) {
      assertThat(series.next(10).limit()).isLessThanOrEqualTo(MAXIMUM);
    }
    assertThat(series.next(10).limit()).isEqualTo(MAXIMUM);
  }

  @Test
  void whereHigherIsWorseTheLawIsMirrored() {
    Series delay = new Series(regulator(Worse.HIGHER), CORES, 0);
    delay.next(50, 8, 9, 10, 11, 12);
    assertThat(delay.next(11.6).cause()).isEqualTo(Cause.WORSE);
    assertThat(delay.next(8.4).cause()).isEqualTo(Cause.BETTER);
    assertThat(delay.next(10).limit()).isCloseTo(0.6, within(1e-12));
    assertThat(delay.next(13.2).cause()).isEqualTo(Cause.PHASE_CHANGE);
  }

  @Test
  void withoutDeviationEveryOtherValueIsANewPhase() {
    series.next(50, 10, 10, 10, 10, 10);
    assertThat(series.next(10).cause()).isEqualTo(Cause.INSIDE);
    assertThat(series.next(10.001).cause()).isEqualTo(Cause.PHASE_CHANGE);
  }

  @Test
  void missingSamplesAndUnseenTimeRaiseNothing() {
    learnTen();
    assertThat(series.missing().limit()).isEqualTo(START);
    assertThat(series.next(10).limit()).isCloseTo(START + 0.1, within(1e-12));
    assertThat(series.jump(2).next(10).limit()).isCloseTo(START + 0.1, within(1e-12));
    assertThat(series.jump(-9).next(10).limit()).isCloseTo(START + 0.1, within(1e-12));
    assertThat(series.next(8.4).limit()).isCloseTo((START + 0.1) / 2, within(1e-12));
  }

  @Test
  void unseenTimeStillShowsThatTheForegroundSuffers() {
    learnTen();
    assertThat(series.jump(2).next(8.4).limit()).isEqualTo(START / 2);
    assertThat(series.jump(-9).next(1).cause()).isEqualTo(Cause.PHASE_CHANGE);
  }

  @Test
  void afterAWindowWithoutSamplesThePhaseIsLearnedAnew() {
    learnTen();
    Decision lost = series.jump(5).next(10);
    assertThat(lost.cause()).isEqualTo(Cause.LEARNING);
    assertThat(lost.limit()).isEqualTo(MINIMUM);
    assertThat(series.next(8, 9, 10, 11, 12).cause()).isEqualTo(Cause.LEARNED);
  }

  @Test
  void coresThatAreTakenAwayBoundTheQuota() {
    CpuQuotaRegulator regulator = regulator(Worse.LOWER);
    Decision last = null;
    for (int second = 0; second <= 20; second++) {
      last = regulator.decide(at(second, CORES));
    }
    assertThat(last.limit()).isGreaterThan(2);
    assertThat(regulator.decide(at(21, 1)).limit()).isEqualTo(1);
    assertThat(regulator.decide(at(22, 0.1)).limit()).isEqualTo(0.1);
    // The cores come back: the quota continues from the minimum, not from its old value.
    assertThat(regulator.decide(at(23, CORES)).limit()).isCloseTo(MINIMUM + 0.1, within(1e-12));
  }

  private static Observation at(int second, double cores) {
    return new Observation(second * Series.SECOND, OptionalDouble.of(10), cores);
  }

  @Test
  void thePapersDefaults() {
    CpuQuotaSettings settings =
        CpuQuotaSettings.ofThePaper(CpuQuotaSettings.defaults(), Worse.LOWER, 0.1, 4, 0.1);
    assertThat(settings.range()).isEqualTo(new RangeSettings(Duration.ofSeconds(15), 1));
    assertThat(settings.increaseCores()).isEqualTo(0.1);
    assertThat(settings.decreaseFactor()).isEqualTo(2);
  }

  @Test
  void quotasThatCannotBeAreRefused() {
    assertThatThrownBy(
            () -> CpuQuotaSettings.ofThePaper(CpuQuotaSettings.defaults(), Worse.LOWER, 0, 4, 1))
        .hasMessageContaining("minimumCores must be positive, was 0.0");
    assertThatThrownBy(
            () -> CpuQuotaSettings.ofThePaper(CpuQuotaSettings.defaults(), Worse.LOWER, 1, 0.5, 1))
        .hasMessageContaining("maximumCores");
    assertThatThrownBy(
            () -> CpuQuotaSettings.ofThePaper(CpuQuotaSettings.defaults(), Worse.LOWER, 1, 2, 3))
        .hasMessageContaining("startCores");
  }
}
