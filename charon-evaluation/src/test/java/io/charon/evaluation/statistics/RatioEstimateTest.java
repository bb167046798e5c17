/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RatioEstimateTest {
  @Test
  void whatAlwaysCostsTwiceAsMuchCostsTwiceAsMuch() {
    RatioEstimate ratio = RatioEstimate.of(List.of(2.0, 6.0, 4.0), List.of(1.0, 3.0, 2.0));
    assertThat(ratio).isEqualTo(new RatioEstimate(2, 2, 2));
  }

  @Test
  void oneDisturbedNeighbourDoesNotMoveTheMedian() {
    List<Double> values = new ArrayList<>(Collections.nCopies(29, 10.0));
    values.add(500.0);
    RatioEstimate ratio = RatioEstimate.of(values, Collections.nCopies(30, 10.0));
    assertThat(ratio.ratio()).isEqualTo(1);
    assertThat(ratio.high95()).isEqualTo(1);
  }

  @Test
  void theIntervalNarrowsWithMoreSamplesAndHoldsTheTruth() {
    RatioEstimate few = noisy(8);
    RatioEstimate many = noisy(400);
    assertThat(many.high95() - many.low95()).isLessThan((few.high95() - few.low95()) / 2);
    assertThat(many.ratio()).isCloseTo(1.1, within(0.02));
    assertThat(1.1).isBetween(few.low95(), few.high95());
  }

  @Test
  void needsPairs() {
    assertThatThrownBy(() -> RatioEstimate.of(List.of(1.0), List.of(1.0, 2.0)))
        .hasMessageContaining("1 and 2");
  }

  private static RatioEstimate noisy(int count) {
    Random random = new Random(7);
    List<Double> values = new ArrayList<>();
    List<Double> references = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(110 + 10 * random.nextGaussian());
      references.add(100 + 10 * random.nextGaussian());
    }
    return RatioEstimate.of(values, references);
  }
}
