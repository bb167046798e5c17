/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CounterRateTest {
  private final CounterRate rate = new CounterRate();

  @Test
  void theRateIsPerSecondOfTheTimeThatPassed() {
    assertThat(rate.read(Long.MAX_VALUE, 1000)).isEmpty();
    // The clock may wrap.
    assertThat(rate.read(Long.MAX_VALUE + 2 * Series.SECOND, 1500)).hasValue(250);
    assertThat(rate.read(Long.MAX_VALUE + 3 * Series.SECOND, 1500)).hasValue(0);
  }

  @Test
  void aCounterThatFallsWasReset() {
    rate.read(0, 1000);
    assertThat(rate.read(Series.SECOND, 400)).isEmpty();
    assertThat(rate.read(2 * Series.SECOND, 600)).hasValue(200);
  }

  @Test
  void withoutTimeThereIsNoRate() {
    rate.read(0, 1000);
    assertThat(rate.read(0, 2000)).isEmpty();
    assertThat(rate.read(-Series.SECOND, 3000)).isEmpty();
    assertThat(rate.read(0, 3500)).hasValue(500);
  }
}
