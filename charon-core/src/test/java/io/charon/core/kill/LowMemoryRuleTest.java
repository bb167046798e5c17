/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class LowMemoryRuleTest {
  private static final List<String> RUNNING = List.of("oldest", "middle", "newest");

  private final LowMemoryRule rule = new LowMemoryRule(10);

  @Test
  void newestDiesBelowTheThreshold() {
    assertThat(rule.victim(1000, 99, RUNNING, false)).contains("newest");
    assertThat(rule.victim(1000, -5, RUNNING, false)).contains("newest");
  }

  @Test
  void noContainerIsKilledAtTheThresholdOrAbove() {
    assertThat(rule.victim(1000, 100, RUNNING, false)).isEmpty();
    assertThat(rule.victim(1000, 1000, RUNNING, false)).isEmpty();
  }

  @Test
  void noOtherContainerIsKilledWhileAVictimReleasesItsMemory() {
    assertThat(rule.victim(1000, 0, RUNNING, true)).isEmpty();
  }

  @Test
  void withoutContainersNoneIsKilled() {
    assertThat(rule.victim(1000, 0, List.of(), false)).isEmpty();
  }

  @Test
  void zeroNeverKillsForAReadingThatExists() {
    assertThat(new LowMemoryRule(0).victim(1000, 0, RUNNING, false)).isEmpty();
  }

  @Test
  void thresholdOutOfRangeIsRefused() {
    assertThatThrownBy(() -> new LowMemoryRule(91))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("within 0 and 90")
        .hasMessageContaining("91");
  }
}
