/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class EstimateTest {
  @Test
  void theIntervalIsStudentsT() {
    Estimate estimate = Estimate.of(List.of(1.0, 2.0, 3.0, 4.0, 5.0));
    assertThat(estimate.mean()).isEqualTo(3);
    // 2.7764 for four degrees of freedom, times sqrt(2.5 / 5).
    assertThat(estimate.halfWidth()).isCloseTo(1.9632, Offset.offset(1e-4));
    assertThat(estimate.low()).isCloseTo(1.0368, Offset.offset(1e-4));
    assertThat(estimate.high()).isCloseTo(4.9632, Offset.offset(1e-4));
  }

  @Test
  void whatIsNoNumberIsLeftOut() {
    Estimate one = Estimate.of(List.of(Double.NaN, 7.0));
    assertThat(one.runs()).isEqualTo(1);
    assertThat(one.mean()).isEqualTo(7);
    assertThat(one.halfWidth()).isNaN();
    assertThat(Estimate.of(List.of(Double.NaN)).mean()).isNaN();
  }

  @Test
  void intervalsOverlapOrNot() {
    Estimate low = new Estimate(5, 10, 2);
    Estimate touching = new Estimate(5, 13, 1);
    Estimate high = new Estimate(5, 14, 1);
    Estimate single = new Estimate(1, 10, Double.NaN);
    assertThat(low.overlaps(touching)).isTrue();
    assertThat(touching.overlaps(low)).isTrue();
    assertThat(low.overlaps(high)).isFalse();
    assertThat(low.isComparable(high)).isTrue();
    assertThat(low.isComparable(single)).isFalse();
    assertThat(low.overlaps(single)).isFalse();
  }
}
