/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FluctuationTest {
  @Test
  void itIsTheStepAsAShareOfWhatComesAfter() {
    Fluctuation fluctuation = Fluctuation.of(List.of(10.0, 8.0, 16.0, 16.0));
    assertThat(fluctuation.steps()).containsExactly(0.25, 0.5, 0.0);
    assertThat(fluctuation.mean()).hasValue(0.25);
    assertThat(fluctuation.high()).hasValue(0.5);
  }

  @Test
  void nothingIsDividedByZero() {
    assertThat(Fluctuation.of(List.of(10.0, 0.0, 5.0)).steps()).containsExactly(1.0);
    assertThat(Fluctuation.of(List.of(3.0)).mean()).isEmpty();
    assertThat(Fluctuation.of(List.of()).high()).isEmpty();
  }
}
