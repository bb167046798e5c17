/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChargeDebouncerTest {
  private static final Optional<String> NONE = Optional.empty();
  private static final Optional<String> SOME = Optional.of("full");

  private final ChargeDebouncer charge = new ChargeDebouncer();

  @Test
  void theFirstJudgementCountsAtOnce() {
    assertThat(charge.judge(NONE)).isTrue();
    assertThat(new ChargeDebouncer().judge(SOME)).isFalse();
  }

  @Test
  void laterOnesCountWhenTheyComeTwiceInARow() {
    charge.judge(NONE);
    assertThat(charge.judge(SOME)).isTrue();
    assertThat(charge.judge(NONE)).isTrue();
    assertThat(charge.judge(SOME)).isTrue();
    assertThat(charge.judge(SOME)).isFalse();
    assertThat(charge.judge(NONE)).isFalse();
    assertThat(charge.judge(SOME)).isFalse();
    assertThat(charge.judge(NONE)).isFalse();
    assertThat(charge.judge(NONE)).isTrue();
  }

  @Test
  void whatIsCertainlyGoneIsLostAtOnceAndTakesTwoTicksToComeBack() {
    charge.judge(NONE);
    charge.lose();
    assertThat(charge.judge(NONE)).isFalse();
    charge.lose();
    assertThat(charge.judge(NONE)).isFalse();
    assertThat(charge.judge(NONE)).isTrue();
  }

  @Test
  void oneThatComesForTheFirstTimeHasNothingToProve() {
    charge.lose();
    charge.lose();
    assertThat(charge.judge(NONE)).isTrue();
  }
}
