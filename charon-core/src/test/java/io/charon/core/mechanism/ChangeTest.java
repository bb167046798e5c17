/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ChangeTest {
  @Test
  void ofSeveralAmountsOneThatFallsIsATightening() {
    Map<String, Integer> limits = Map.of("a", 3, "b", 5);
    assertThat(Change.between(limits, Map.of("a", 3, "b", 5))).isEqualTo(Change.KEEP);
    assertThat(Change.between(limits, Map.of("a", 4, "b", 5))).isEqualTo(Change.WIDEN);
    assertThat(Change.between(limits, Map.of("a", 4, "b", 4))).isEqualTo(Change.TIGHTEN);
  }

  @Test
  void anAmountThatIsMissingHasNoLimit() {
    Map<String, Integer> limits = Map.of("a", 3, "b", 5);
    assertThat(Change.between(Map.of("a", 3), limits)).isEqualTo(Change.TIGHTEN);
    assertThat(Change.between(limits, Map.of("a", 3))).isEqualTo(Change.WIDEN);
    assertThat(Change.between(Map.of(), Map.of())).isEqualTo(Change.KEEP);
  }
}
