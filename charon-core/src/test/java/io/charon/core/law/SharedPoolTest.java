/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.law.SharedPool.Change;
import io.charon.core.law.SharedPool.Decision;
import io.charon.core.law.SharedPool.Member;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class SharedPoolTest {
  private final SharedPool law = new SharedPool(0.45);

  private Decision decide(double quota, double used, boolean throttled, boolean full) {
    return law.of(new Member(2, quota, used, throttled), full, 8);
  }

  @Test
  void aThrottledContainerGetsAFifthMoreEachRoundUpToThreefold() {
    assertThat(decide(2, 1, true, false)).isEqualTo(new Decision(Change.RAISE, 2.4));
    assertThat(decide(2.4, 1, true, false).quotaCores()).isCloseTo(2.8, within(1e-9));
    assertThat(decide(5.9, 1, true, false)).isEqualTo(new Decision(Change.RAISE, 6));
    assertThat(decide(6, 1, true, false)).isEqualTo(new Decision(Change.HOLD, 6));
    assertThat(decide(2, 1, false, false)).isEqualTo(new Decision(Change.HOLD, 2));
  }

  @Test
  void noContainerGetsMoreThanThePoolHas() {
    assertThat(law.of(new Member(2, 2.9, 1, true), false, 3))
        .isEqualTo(new Decision(Change.RAISE, 3));
    assertThat(law.of(new Member(4, 4, 1, true), false, 3))
        .as("an original quota beyond the pool stays")
        .isEqualTo(new Decision(Change.HOLD, 4));
  }

  @Test
  void aFullPoolHalvesAndNeverBelowTheOriginal() {
    assertThat(decide(6, 1, true, true)).isEqualTo(new Decision(Change.HALVE, 3));
    assertThat(decide(3, 1, true, true)).isEqualTo(new Decision(Change.HALVE, 2));
    assertThat(decide(2, 1, true, true)).isEqualTo(new Decision(Change.HOLD, 2));
  }

  @Test
  void aContainerAboveItsShareIsHalvedAlthoughThePoolHasRoom() {
    assertThat(decide(5, 2.1, true, false)).isEqualTo(new Decision(Change.HALVE, 2.5));
    assertThat(decide(5, 2, true, false).change()).isEqualTo(Change.RAISE);
  }

  /** A container may be resized, and the kernel rounds quotas. */
  @Test
  void aQuotaBelowTheShareIsRaisedAtOnceUnlessItWasRounded() {
    assertThat(decide(1, 0.5, false, true)).isEqualTo(new Decision(Change.RAISE, 2));
    assertThat(decide(1.9999, 0.5, false, true)).isEqualTo(new Decision(Change.HOLD, 1.9999));
    assertThat(decide(5.9999, 0.5, true, false)).isEqualTo(new Decision(Change.HOLD, 5.9999));
  }

  @Test
  void aPoolIsFullAboveTheLineOnly() {
    assertThat(law.isFull(0.45 * 20, 20)).isFalse();
    assertThat(law.isFull(9.01, 20)).isTrue();
    assertThatIllegalArgumentException().isThrownBy(() -> new SharedPool(0));
    assertThatIllegalArgumentException().isThrownBy(() -> new SharedPool(1.01));
    assertThatIllegalArgumentException().isThrownBy(() -> new SharedPool(Double.NaN));
  }

  @Property
  void theQuotaStaysWithinItsBounds(
      @ForAll @DoubleRange(min = 0.01, max = 64) double original,
      @ForAll @DoubleRange(min = 1, max = 3) double times,
      @ForAll @DoubleRange(min = 0, max = 200) double used,
      @ForAll boolean throttled,
      @ForAll boolean full,
      @ForAll @DoubleRange(min = 1, max = 128) double pool) {
    double quota = original * times;
    Decision decision = law.of(new Member(original, quota, used, throttled), full, pool);

    assertThat(decision.quotaCores())
        .as("never below its own")
        .isGreaterThanOrEqualTo(original * 0.999);
    assertThat(decision.quotaCores())
        .isLessThanOrEqualTo(Math.max(quota, SharedPool.MAX * original));
    assertThat(decision.quotaCores() - quota)
        .as("one step at most")
        .isLessThanOrEqualTo(SharedPool.STEP * original * (1 + 1e-9));
    if (full || used > original || !throttled) {
      assertThat(decision.quotaCores()).isLessThanOrEqualTo(quota);
    }
  }

  /** In a pool that stays full, every quota is back at its original value within two rounds. */
  @Property
  void aPoolThatStaysFullTakesEverythingBackInTwoRounds(
      @ForAll @DoubleRange(min = 0.01, max = 64) double original,
      @ForAll @DoubleRange(min = 1, max = 3) double times) {
    double quota = original * times;
    for (int round = 0; round < 2; round++) {
      quota = law.of(new Member(original, quota, 0, true), true, 1000).quotaCores();
    }
    assertThat(quota).isCloseTo(original, within(original * 0.001));
  }
}
