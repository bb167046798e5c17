/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeftoverTest {
  private static final long MB = 1L << 20;
  private static final long NODE = 1000 * MB;

  /** Monotonic clocks may start below zero. */
  private static final long START = -Duration.ofSeconds(5).toNanos();

  private final Leftover leftover = new Leftover();

  private long after(long seconds, long megabytes) {
    return leftover.lastingBytes(
        START + Duration.ofSeconds(seconds).toNanos(), megabytes * MB, NODE);
  }

  @Test
  void whatStaysForTenSecondsIsLeftOver() {
    assertThat(after(0, 100)).isZero();
    assertThat(after(9, 60)).isZero();
    assertThat(after(10, 70)).isEqualTo(70 * MB);
    assertThat(after(60, 70)).isEqualTo(70 * MB);
    assertThat(after(61, 0)).as("the files were removed").isZero();
    assertThat(after(62, 70)).as("other files").isZero();
  }

  @Test
  void whatIsRemovedMeanwhileIsNot() {
    for (int second = 0; second < 60; second++) {
      assertThat(after(second, second % 5 == 0 ? 20 : 300)).isZero();
    }
  }

  @Test
  void littleIsNot() {
    assertThat(after(0, 32)).isZero();
    assertThat(after(60, 32)).isZero();
    assertThat(leftover.lastingBytes(START, 1900 * MB, 100 * NODE)).isZero();
    assertThat(leftover.lastingBytes(START + Duration.ofHours(1).toNanos(), 2000 * MB, 100 * NODE))
        .as("2 % of a large node")
        .isZero();
  }
}
