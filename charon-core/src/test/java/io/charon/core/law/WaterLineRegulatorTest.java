/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Change;
import java.time.Duration;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node with 10 cores, a line of 65 %, a window of 5 s, a sample a second, at least 0.1 core. */
class WaterLineRegulatorTest {
  private static final long SECOND = 1_000_000_000L;
  private static final double EXACTLY = 1e-9;

  private double cores = 10;
  private long nanos = -3 * SECOND;
  private final WaterLineRegulator regulator =
      new WaterLineRegulator(new WaterLine(65), 0.1, new RangeSettings(Duration.ofSeconds(5), 1));

  private Suppression after(long elapsed, Double load) {
    nanos += elapsed;
    return regulator.decide(
        new Observation(
            nanos, load == null ? OptionalDouble.empty() : OptionalDouble.of(load), cores));
  }

  private Suppression next(Double load) {
    return after(SECOND, load);
  }

  private void hasGrown(double load, int seconds) {
    for (int i = 0; i < 6 + seconds; i++) {
      next(load);
    }
  }

  @Test
  void theMinimumUntilAWindowIsFullThenATenthOfTheNodeASecond() {
    for (int i = 0; i < 5; i++) {
      Suppression learning = next(3.0);
      assertThat(learning.cause()).isEqualTo(Cause.LEARNING);
      assertThat(learning.limit()).isEqualTo(0.1);
    }
    // Room is 6.5 - 3.
    assertThat(next(3.0).limit()).isEqualTo(1.1, within(EXACTLY));
    Suppression growing = next(3.0);
    assertThat(growing.limit()).isEqualTo(2.1, within(EXACTLY));
    assertThat(growing.cause()).isEqualTo(Cause.GROWING);
    assertThat(growing.change()).isEqualTo(Change.WIDEN);
    next(3.0);
    Suppression there = next(3.0);
    assertThat(there.limit()).isEqualTo(3.5, within(EXACTLY));
    assertThat(there.cause()).isEqualTo(Cause.WATER_LINE);
    assertThat(next(3.0).change()).isEqualTo(Change.KEEP);
  }

  @Test
  void itTakesBackAtOnceByTheMomentAndGivesByTheMean() {
    hasGrown(3, 5);
    Suppression taken = next(5.0);
    assertThat(taken.limit()).as("6.5 - 5, though the mean is 3.4").isEqualTo(1.5, within(EXACTLY));
    assertThat(taken.change()).isEqualTo(Change.TIGHTEN);
    assertThat(taken.cause()).isEqualTo(Cause.WATER_LINE);
    // 3, 3, 3, 5, 1: mean 3, room 3.5.
    assertThat(next(1.0).limit()).isEqualTo(2.5, within(EXACTLY));
    assertThat(next(3.0).limit()).isEqualTo(3.5, within(EXACTLY));
  }

  @ParameterizedTest
  @CsvSource({
    "3.05, 3.5, KEEP", // half a percent of the node
    "2.95, 3.5, KEEP",
    "3.2, 3.3, TIGHTEN",
    "6.4, 0.1, TIGHTEN", // there is less room than the minimum
    "9, 0.1, TIGHTEN"
  })
  void whatChangesByLessThanAHundredthOfTheNodeIsNoChange(
      double load, double limit, Change change) {
    hasGrown(3, 5);
    Suppression decided = next(load);
    assertThat(decided.limit()).isEqualTo(limit, within(EXACTLY));
    assertThat(decided.change()).isEqualTo(change);
  }

  @Test
  void ofTenDecisionsASecondOneGrows() {
    hasGrown(3, 0);
    for (int i = 0; i < 8; i++) {
      assertThat(after(SECOND / 10, 3.0).limit()).isEqualTo(1.1, within(EXACTLY));
    }
    assertThat(after(SECOND / 10, 3.0).limit()).isEqualTo(2.1, within(EXACTLY));
  }

  @Test
  void unseenTimeGrowsNothingAndStillTakesBack() {
    hasGrown(3, 1);
    assertThat(next(null).cause()).isEqualTo(Cause.NO_SAMPLE);
    assertThat(next(null).limit()).isEqualTo(2.1, within(EXACTLY));
    Suppression interrupted = next(2.0); // three of five seconds were not observed
    assertThat(interrupted.cause()).isEqualTo(Cause.LEARNING);
    assertThat(interrupted.limit()).isEqualTo(2.1, within(EXACTLY));
    assertThat(next(5.5).limit()).isEqualTo(1, within(EXACTLY));
    for (int i = 0; i < 3; i++) {
      assertThat(next(1.0).limit()).isEqualTo(1, within(EXACTLY));
    }
    assertThat(next(1.0).limit()).as("a window was watched").isEqualTo(2, within(EXACTLY));
  }

  @Test
  void afterAWindowWithoutASampleTheMinimumIsLeft() {
    hasGrown(3, 5);
    Suppression lost = after(6 * SECOND, null);
    assertThat(lost.cause()).isEqualTo(Cause.LEARNING);
    assertThat(lost.limit()).isEqualTo(0.1);
    assertThat(next(1.0).limit()).isEqualTo(0.1);
  }

  @Test
  void aNodeThatLosesCoresLosesTheLineToo() {
    hasGrown(0, 10);
    assertThat(next(null).limit()).isEqualTo(6.5, within(EXACTLY));
    cores = 4;
    assertThat(next(null).limit()).isEqualTo(2.6, within(EXACTLY));
    cores = 0;
    assertThat(next(null).limit()).isZero();
  }

  @Test
  void theAuditSaysTheLineAndWhatItIsHeldAgainst() {
    hasGrown(3, 5);
    Basis basis = next(5.0).basis("the node minus best-effort", OptionalDouble.of(2));
    assertThat(basis.rule()).isEqualTo("WATER_LINE");
    assertThat(basis.inputs())
        .containsEntry("foreground", 5.0)
        .containsEntry("capacity", 10.0)
        .containsEntry("bestEffort", 2.0)
        .containsEntry("mean", 3.4)
        .containsEntry("waterLine", 6.5);
    assertThat(basis.reason())
        .isEqualTo(
            "best-effort gets the CPU time that the foreground leaves below the water line; measured 5.00000,"
                + " mean 3.40000; water line 65 % of 10.0000 cores, that is 6.50000");
  }

  @Test
  void aLineIsFromOneToAHundredPercentAndZeroIsNone() {
    assertThat(WaterLine.of(0)).isEmpty();
    assertThat(WaterLine.of(100)).hasValue(new WaterLine(100));
    assertThatThrownBy(() -> new WaterLine(101)).hasMessageContaining("percent");
    assertThatThrownBy(() -> new WaterLine(0)).hasMessageContaining("percent");
  }
}
