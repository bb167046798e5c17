/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ColocationTimesTest {
  private static final Duration WINDOW = Duration.ofSeconds(15);

  private static ColocationMode mode(String name) {
    return ColocationMode.of(name).orElseThrow();
  }

  @Test
  void everyRunGoesThroughAllLevelsEquallyOften() {
    assertThat(ColocationTimes.ofLevels(WINDOW, false, Duration.ofSeconds(60), 6).step())
        .isEqualTo(Duration.ofSeconds(5));
    assertThat(ColocationTimes.ofLevels(WINDOW, false, Duration.ofSeconds(40), 6).step())
        .isBetween(Duration.ofMillis(3333), Duration.ofMillis(3334));
    assertThat(ColocationTimes.ofLevels(WINDOW, false, Duration.ofSeconds(3), 6).step())
        .isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void regulatorsHaveTheirFirstWindowBeforeARunCounts() {
    ColocationTimes paper = ColocationTimes.ofSizes(WINDOW, false, Duration.ofSeconds(40), 4);
    assertThat(paper.settle(mode("none"))).isEqualTo(Duration.ofSeconds(10));
    assertThat(paper.settle(mode("cpu"))).isEqualTo(Duration.ofSeconds(20));
    assertThat(paper.settle(mode("all"))).isEqualTo(Duration.ofSeconds(70));
    assertThat(paper.settle(mode("suppress-80"))).isEqualTo(Duration.ofSeconds(20));
    assertThat(paper.settle(mode("evict-satisfaction"))).isEqualTo(Duration.ofSeconds(70));
    assertThat(paper.settle(mode("idle"))).isEqualTo(Duration.ofSeconds(10));
    assertThat(paper.settle(mode("default"))).isEqualTo(Duration.ofSeconds(10));
    assertThat(paper.nodeWindow()).isEmpty();
    ColocationTimes shorter = ColocationTimes.ofSizes(WINDOW, true, Duration.ofSeconds(40), 4);
    assertThat(shorter.settle(mode("all"))).isEqualTo(Duration.ofSeconds(20));
    assertThat(shorter.nodeWindow()).contains(WINDOW);
  }
}
