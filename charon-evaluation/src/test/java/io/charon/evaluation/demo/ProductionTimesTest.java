/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.charon.evaluation.demo.ProductionTimes.BatchTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProductionTimesTest {
  private static final long WINDOW_START = 1_000_000;
  private static final long WINDOW_END = WINDOW_START + Results.PLAN.times().window().toMillis();
  private static final long AFTER_START = WINDOW_END + 3_000;
  private static final long AFTER_END = AFTER_START + Results.PLAN.times().baseline().toMillis();

  @Test
  void batchesAreDividedByTheirArrival() {
    ProductionTimes times =
        ProductionTimes.of(
            120,
            List.of(
                new BatchTime(WINDOW_START - 1, 0.1),
                new BatchTime(WINDOW_START, 0.2),
                new BatchTime(WINDOW_END - 1, 0.3),
                new BatchTime(WINDOW_END, 9),
                new BatchTime(AFTER_START - 1, 9),
                new BatchTime(AFTER_START, 0.4),
                new BatchTime(AFTER_END - 1, 0.5),
                new BatchTime(AFTER_END, 9)),
            Results.PLAN,
            WINDOW_START,
            AFTER_START);

    assertThat(times.before()).containsExactly(0.1);
    assertThat(times.window()).containsExactly(0.2, 0.3);
    assertThat(times.after()).containsExactly(0.4, 0.5);
    assertThat(times.busySeconds()).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void theTimeAloneWithinTheWindowIsTheMeanOfThoseBeforeAndAfter() {
    ProductionTimes times = times(List.of(0.08), List.of(0.099), List.of(0.1));

    assertThat(times.baselineP50()).isCloseTo(0.09, within(1e-9));
    assertThat(times.vsOwnBaseline()).isCloseTo(1.1, within(1e-9));
    assertThat(times.drift()).isCloseTo(1 / 9.0, within(1e-9));
  }

  @Test
  void withoutBatchesAfterTheWindowTheTimeAloneIsUnknown() {
    ProductionTimes times = times(List.of(0.08), List.of(0.08), List.of());

    assertThat(times.baselineP50()).isNaN();
    assertThat(times.drift()).isNaN();
  }

  private static ProductionTimes times(
      List<Double> before, List<Double> window, List<Double> after) {
    return new ProductionTimes(120, 20, before, window, after);
  }
}
