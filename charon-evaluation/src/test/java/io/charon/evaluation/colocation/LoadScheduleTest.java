/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadScheduleTest {
  private static final Duration STEP = Duration.ofSeconds(100);
  private static final ColocationTimes TIMES =
      ColocationTimes.ofLevels(Duration.ofSeconds(6), true, Duration.ofSeconds(6), 6);

  private static long countBetween(List<Long> due, long fromSeconds, long toSeconds) {
    return due.stream()
        .filter(moment -> moment >= fromSeconds * 1_000_000_000L)
        .filter(moment -> moment < toSeconds * 1_000_000_000L)
        .count();
  }

  @Test
  void everyStepHasItsOwnRate() {
    List<Long> due = LoadSchedule.arrivals(7, 100, List.of(0.1, 0.6), STEP, Duration.ofMinutes(5));
    // 1,000 and 6,000 are expected; 158 and 387 are 5 standard deviations of a Poisson process.
    assertThat(countBetween(due, 0, 100)).isCloseTo(1000, within(158L));
    assertThat(countBetween(due, 100, 200)).isCloseTo(6000, within(387L));
    assertThat(countBetween(due, 200, 300)).isCloseTo(1000, within(158L));
    assertThat(due).isSorted().allMatch(moment -> moment < 300_000_000_000L);
  }

  @Test
  void waitsVaryAsThoseOfAPoissonProcess() {
    List<Long> due = LoadSchedule.arrivals(1, 1000, List.of(0.5), STEP, Duration.ofSeconds(100));
    double mean = 100e9 / due.size();
    double square = 0;
    for (int i = 1; i < due.size(); i++) {
      square += Math.pow(due.get(i) - due.get(i - 1) - mean, 2);
    }
    // The standard deviation of the waits of a Poisson process equals their mean.
    assertThat(Math.sqrt(square / due.size()) / mean).isCloseTo(1, within(0.03));
  }

  @Test
  void whatIsMeasuredDoesNotDependOnHowLongItTookToSettle() {
    List<Long> soon = LoadSchedule.of(5, 100, TIMES, Duration.ofSeconds(1));
    List<Long> late = LoadSchedule.of(5, 100, TIMES, Duration.ofSeconds(7));
    assertThat(measured(soon, 1)).isNotEmpty().isEqualTo(measured(late, 7));
    assertThat(measured(LoadSchedule.of(6, 100, TIMES, Duration.ofSeconds(1)), 1))
        .isNotEqualTo(measured(soon, 1));
  }

  private static List<Long> measured(List<Long> due, int settleSeconds) {
    return due.stream()
        .map(moment -> moment - settleSeconds * 1_000_000_000L)
        .filter(moment -> moment >= 0)
        .toList();
  }
}
