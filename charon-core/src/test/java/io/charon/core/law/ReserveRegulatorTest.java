/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.mechanism.Change;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Tests the law of memory and network on series computed by hand: w = 5 s, c = 2. */
class ReserveRegulatorTest {
  private static final double CAPACITY = 100;
  private static final RangeSettings FIVE_SECONDS = new RangeSettings(Duration.ofSeconds(5), 2);

  /** Sigma of the five values 8, 9, 10, 11, 12: the square root of 10 / 4. */
  private static final double SIGMA = Math.sqrt(2.5);

  private final Series series = new Series(new ReserveRegulator(FIVE_SECONDS), CAPACITY, 0);

  /** An opening sample, and a window of mean 10. */
  private Decision learnTen() {
    return series.next(50, 8, 9, 10, 11, 12);
  }

  @Test
  void theFirstWindowAffordsNothing() {
    assertThat(series.each(50, 8, 9, 10, 11))
        .allSatisfy(
            decision -> {
              assertThat(decision.cause()).isEqualTo(Cause.LEARNING);
              assertThat(decision.limit()).isZero();
              assertThat(decision.change()).isEqualTo(Change.KEEP);
            });
    Decision learned = series.next(12);
    assertThat(learned.cause()).isEqualTo(Cause.LEARNED);
    assertThat(learned.change()).isEqualTo(Change.WIDEN);
    assertThat(learned.judgedBy()).isEmpty();
    // The sample that opened the window represents no time and does not count.
    assertThat(learned.range()).contains(new NormalRange(10, SIGMA, 2));
    assertThat(learned.limit()).isCloseTo(CAPACITY - 10 - 2 * SIGMA, within(1e-12));
  }

  @Test
  void insideOfTheRangeNothingChanges() {
    double limit = learnTen().limit();
    assertThat(series.each(10, 13.1, 7, 6.9, 13, 6.9, 6.9, 6.9, 7))
        .allSatisfy(
            decision -> {
              assertThat(decision.cause()).isEqualTo(Cause.INSIDE);
              assertThat(decision.change()).isEqualTo(Change.KEEP);
              assertThat(decision.limit()).isEqualTo(limit);
            });
  }

  @Test
  void aViolationMovesTheMeanAtOnceAndKeepsSigma() {
    NormalRange before = learnTen().range().orElseThrow();
    Decision violation = series.next(20);
    assertThat(violation.cause()).isEqualTo(Cause.VIOLATION);
    assertThat(violation.change()).isEqualTo(Change.TIGHTEN);
    assertThat(violation.judgedBy()).contains(before);
    assertThat(violation.range()).contains(new NormalRange(20, SIGMA, 2));
    assertThat(violation.limit()).isCloseTo(CAPACITY - 20 - 2 * SIGMA, within(1e-12));
    assertThat(series.next(20 + 2 * SIGMA - 0.01).cause()).isEqualTo(Cause.INSIDE);
    assertThat(series.next(23.2).cause()).isEqualTo(Cause.VIOLATION);
  }

  @Test
  void onlyAWholeWindowBelowIsAPhaseChange() {
    double limit = learnTen().limit();
    List<Decision> below = series.each(1, 2, 3, 4);
    assertThat(below)
        .allSatisfy(
            decision -> {
              assertThat(decision.cause()).isEqualTo(Cause.BELOW);
              assertThat(decision.limit()).isEqualTo(limit);
            });
    Decision change = series.next(5);
    assertThat(change.cause()).isEqualTo(Cause.PHASE_CHANGE);
    assertThat(change.change()).isEqualTo(Change.WIDEN);
    // Over the last five seconds: 1, 2, 3, 4, 5.
    assertThat(change.range()).contains(new NormalRange(3, SIGMA, 2));
    assertThat(change.limit()).isCloseTo(CAPACITY - 3 - 2 * SIGMA, within(1e-12));
  }

  @Test
  void oneSampleBackInTheRangeEndsTheStretchBelow() {
    learnTen();
    assertThat(series.next(1, 1, 1, 1, 10).cause()).isEqualTo(Cause.INSIDE);
    assertThat(series.next(1, 1, 1, 1).cause()).isEqualTo(Cause.BELOW);
    assertThat(series.next(1).cause()).isEqualTo(Cause.PHASE_CHANGE);
  }

  @Test
  void aViolationEndsTheStretchBelowToo() {
    learnTen();
    assertThat(series.next(1, 1, 1, 1, 20).cause()).isEqualTo(Cause.VIOLATION);
    assertThat(series.next(1, 1, 1, 1).cause()).isEqualTo(Cause.BELOW);
  }

  @Test
  void withoutDeviationEveryOtherValueIsOutside() {
    Decision learned = series.next(50, 10, 10, 10, 10, 10);
    assertThat(learned.range()).contains(new NormalRange(10, 0, 2));
    assertThat(learned.limit()).isEqualTo(90);
    assertThat(series.next(10).cause()).isEqualTo(Cause.INSIDE);
    assertThat(series.next(10.001).cause()).isEqualTo(Cause.VIOLATION);
    assertThat(series.next(10).cause()).isEqualTo(Cause.BELOW);
  }

  @Test
  void aReserveAboveTheCapacityLeavesNothing() {
    learnTen();
    Decision violation = series.next(99);
    assertThat(violation.limit()).isZero();
    assertThat(series.next(103).change()).isEqualTo(Change.KEEP);
  }

  @Test
  void aSampleThatIsMissingChangesNothing() {
    double limit = learnTen().limit();
    Decision missing = series.missing();
    assertThat(missing.cause()).isEqualTo(Cause.NO_SAMPLE);
    assertThat(missing.limit()).isEqualTo(limit);
    assertThat(missing.reason())
        .isEqualTo(
            "the foreground could not be measured, range"
                + " 6.83772 to 13.1623 (mean 10.0000, sigma 1.58114, c 2.00)");
    assertThat(series.next(10).cause()).isEqualTo(Cause.INSIDE);
  }

  @Test
  void aSampleStandsForTheTimeSinceTheOneBefore() {
    series.next(50, 10, 10);
    series.missing();
    // 2 + 2 + 1 seconds of the window of 5 s are covered, but by only four samples.
    assertThat(series.next(10, 10).cause()).isEqualTo(Cause.LEARNING);
    assertThat(series.next(10).cause()).isEqualTo(Cause.LEARNED);
  }

  @Test
  void anUnseenHalfOfAWindowLetsLearningBeginAgain() {
    series.next(50, 1, 1, 1, 1);
    // With 3 s between two samples, the second one opens a new stretch.
    assertThat(series.jump(2).next(90, 8, 9, 10, 11).cause()).isEqualTo(Cause.LEARNING);
    assertThat(series.next(12).range()).contains(new NormalRange(10, SIGMA, 2));
  }

  @Test
  void anUnseenHalfOfAWindowBreaksTheStretchBelowButKeepsTheRange() {
    double limit = learnTen().limit();
    series.next(1, 1, 1, 1);
    Decision after = series.jump(2).next(1);
    assertThat(after.cause()).isEqualTo(Cause.BELOW);
    assertThat(after.limit()).isEqualTo(limit);
    assertThat(series.next(1, 1, 1, 1).cause()).isEqualTo(Cause.BELOW);
    assertThat(series.next(1).cause()).isEqualTo(Cause.PHASE_CHANGE);
  }

  @Test
  void aViolationIsSeenWhateverTheClockDoes() {
    learnTen();
    assertThat(series.jump(2).next(20).cause()).isEqualTo(Cause.VIOLATION);
    assertThat(series.jump(-100).next(30).cause()).isEqualTo(Cause.VIOLATION);
    assertThat(series.jump(-1).next(40).cause()).isEqualTo(Cause.VIOLATION);
  }

  @Test
  void aClockThatGoesBackLetsTheStretchBeginAgain() {
    learnTen();
    series.next(1, 1, 1, 1);
    assertThat(series.jump(-50).next(1).cause()).isEqualTo(Cause.BELOW);
    assertThat(series.next(1, 1, 1, 1).cause()).isEqualTo(Cause.BELOW);
    assertThat(series.next(1).cause()).isEqualTo(Cause.PHASE_CHANGE);
  }

  @Test
  void afterAWindowWithoutSamplesNothingIsKnownAnyMore() {
    learnTen();
    for (int second = 0; second < 5; second++) {
      assertThat(series.missing().limit()).isPositive();
    }
    Decision lost = series.missing();
    assertThat(lost.cause()).isEqualTo(Cause.NO_SAMPLE);
    assertThat(lost.change()).isEqualTo(Change.TIGHTEN);
    assertThat(lost.limit()).isZero();
    assertThat(series.next(50, 8, 9, 10, 11).limit()).isZero();
    assertThat(series.next(12).cause()).isEqualTo(Cause.LEARNED);
  }

  @Test
  void aGapOfMoreThanAWindowIsSuchATimeToo() {
    learnTen();
    Decision lost = series.jump(5).next(10);
    assertThat(lost.cause()).isEqualTo(Cause.LEARNING);
    assertThat(lost.limit()).isZero();
  }

  @Test
  void aCapacityThatShrinksTightensTheLimit() {
    ReserveRegulator regulator = new ReserveRegulator(FIVE_SECONDS);
    for (int second = 0; second <= 5; second++) {
      regulator.decide(new Observation(second * Series.SECOND, OptionalDouble.of(10), 100));
    }
    Decision shrunk =
        regulator.decide(new Observation(6 * Series.SECOND, OptionalDouble.of(10), 60));
    assertThat(shrunk.cause()).isEqualTo(Cause.INSIDE);
    assertThat(shrunk.change()).isEqualTo(Change.TIGHTEN);
    assertThat(shrunk.limit()).isEqualTo(50);
  }

  @Test
  void theDefaultsAreThePapers() {
    assertThat(ReserveRegulator.memoryDefaults())
        .isEqualTo(new RangeSettings(Duration.ofSeconds(60), 2));
    assertThat(ReserveRegulator.networkDefaults())
        .isEqualTo(new RangeSettings(Duration.ofSeconds(30), 2));
  }

  @Test
  void theNetworkFollowsTheSameLaw() {
    Series network =
        new Series(
            new ReserveRegulator(ReserveRegulator.networkDefaults()), 125e6, Long.MAX_VALUE - 5);
    Decision last = network.next(1e6);
    for (int second = 0; second < 30; second++) {
      assertThat(last.limit()).isZero();
      last = network.next(second % 2 == 0 ? 10e6 : 12e6);
    }
    // Thirty values one million from their mean: sigma is the square root of 30 / 29 millions.
    double sigma = 1e6 * Math.sqrt(30.0 / 29);
    assertThat(last.limit()).isCloseTo(125e6 - 11e6 - 2 * sigma, within(1e-3));
    assertThat(network.next(14e6).limit()).isCloseTo(125e6 - 14e6 - 2 * sigma, within(1e-3));
  }

  @Test
  void valuesThatCannotBeAreRefused() {
    assertThatThrownBy(() -> series.next(-1)).hasMessageContaining("value must be 0 to 2^63");
    assertThatThrownBy(() -> series.next(Double.NaN)).hasMessageContaining("was NaN");
    assertThatThrownBy(() -> new Observation(0, OptionalDouble.empty(), -1))
        .hasMessageContaining("capacity must be");
    assertThatThrownBy(() -> new RangeSettings(Duration.ZERO, 2)).hasMessageContaining("window");
    assertThatThrownBy(() -> new RangeSettings(Duration.ofSeconds(1), Double.NaN))
        .hasMessageContaining("stdFactor");
  }
}
