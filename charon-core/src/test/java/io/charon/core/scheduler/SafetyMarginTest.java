/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Tests the margin that learns from kills. */
class SafetyMarginTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void atTheToleratedRateItStaysWhereItIs() {
    SafetyMargin margin = new SafetyMargin(3);
    long now = 0;
    for (int hour = 0; hour < 5; hour++) {
      for (int kill = 0; kill < 3; kill++) {
        margin.killed();
        for (int second = 0; second <= 1200; second++) {
          margin.containerWaits(now += SECOND);
        }
      }
    }
    assertThat(margin.share()).isCloseTo(0.05, within(0.0005));
  }

  @Test
  void killsWidenItAndOnlyTimeOfWaitingNarrowsIt() {
    SafetyMargin margin = new SafetyMargin(1);
    margin.killed();
    assertThat(margin.share()).isCloseTo(0.06, within(1e-9));
    margin.containerWaits(0);
    margin.containerWaits(3600 * SECOND);
    assertThat(margin.share()).as("nobody asked for an hour").isCloseTo(0.06, within(1e-9));
    for (int second = 0; second <= 3600; second++) {
      margin.containerWaits((3600 + second) * SECOND);
    }
    assertThat(margin.share()).isCloseTo(0.05, within(1e-6));
  }

  @Test
  void aLongTickIsNoReasonNotToCountTheWaiting() {
    SafetyMargin margin = new SafetyMargin(1, Duration.ofSeconds(60));
    for (int minute = 0; minute <= 60; minute++) {
      margin.containerWaits(60L * minute * SECOND);
    }
    assertThat(margin.share()).isCloseTo(0.04, within(1e-6));
    margin.containerWaits((3600 + 181) * SECOND);
    assertThat(margin.share()).as("more than three ticks").isCloseTo(0.04, within(1e-6));
  }

  @Test
  void withoutAToleratedRateItNeverChanges() {
    SafetyMargin margin = new SafetyMargin(0);
    margin.killed();
    margin.containerWaits(0);
    margin.containerWaits(SECOND);
    assertThat(margin.share()).isEqualTo(SafetyMargin.FIRST);
  }

  @Property
  void itStaysInItsRange(
      @ForAll @Size(max = 200) List<Boolean> kills,
      @ForAll @DoubleRange(min = 0, max = 10_000) double rate) {
    SafetyMargin margin = new SafetyMargin(rate);
    long now = 0;
    for (boolean kill : kills) {
      if (kill) {
        margin.killed();
      } else {
        margin.containerWaits(now += SECOND);
      }
      assertThat(margin.share()).isBetween(0.0, SafetyMargin.WIDEST);
    }
  }
}
