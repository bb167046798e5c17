/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class PercentilesTest {
  @Test
  void aPercentileOfNothingIsEmpty() {
    assertThat(Percentiles.of(List.of(), 50)).isEmpty();
    assertThat(Percentiles.median(List.of())).isEmpty();
  }

  @Test
  void takesTheNearestRank() {
    List<Double> values = List.of(15.0, 50.0, 20.0, 40.0, 35.0);
    assertThat(Percentiles.of(values, 5)).hasValue(15);
    assertThat(Percentiles.of(values, 40)).hasValue(20);
    assertThat(Percentiles.of(values, 50)).hasValue(35);
    assertThat(Percentiles.of(values, 95)).hasValue(50);
    assertThat(Percentiles.of(values, 100)).hasValue(50);
  }

  @Test
  void theMedianOfAnEvenNumberLiesBetweenTheMiddleTwo() {
    assertThat(Percentiles.median(List.of(4.0, 1.0, 2.0, 9.0))).hasValue(3);
    assertThat(Percentiles.median(List.of(9.0, 1.0, 2.0))).hasValue(2);
  }

  @Property
  void atLeastTheShareOfAllValuesDoesNotExceedThePercentile(
      @ForAll @NotEmpty List<@DoubleRange(min = 0, max = 1000) Double> values,
      @ForAll @DoubleRange(min = 1, max = 100) double percent) {
    double percentile = Percentiles.of(values, percent).orElseThrow();
    long below = values.stream().filter(value -> value <= percentile).count();
    assertThat(below).isGreaterThanOrEqualTo((long) Math.floor(percent / 100 * values.size()));
    assertThat(values).contains(percentile);
  }
}
