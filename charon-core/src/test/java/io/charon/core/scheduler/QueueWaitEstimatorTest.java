/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class QueueWaitEstimatorTest {
  private static final long SECOND = 1_000_000_000;
  private final QueueWaitEstimator estimator = new QueueWaitEstimator();

  @Test
  void noContainerWaitsOnAnEmptyNode() {
    assertThat(estimator.estimate(0, -5, 1, 99)).isZero();
  }

  @Test
  void ofTwoNodesWithoutAQueueTheOneWithMoreFreeMemoryIsBetter() {
    assertThat(estimator.estimate(0, 0, 0.75, 0)).isEqualTo(Duration.ofMillis(250));
    assertThat(estimator.estimate(0, 0, -1, 0)).isEqualTo(Duration.ofSeconds(1));
    assertThat(estimator.estimate(0, 0, 7, 0)).isZero();
  }

  @Test
  void theDelayAfterAKillCounts() {
    assertThat(estimator.estimate(0, 3 * SECOND, 1, 0)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void everyPlaceCostsTheTimeBetweenTwoStarts() {
    long now = 0;
    estimator.firstQueued(now);
    for (int starts = 0; starts < 50; starts++) {
      now += 10 * SECOND;
      estimator.startedFromQueue(now);
    }
    assertThat(estimator.estimate(2, 0, 1, now))
        .isBetween(Duration.ofMillis(29_900), Duration.ofSeconds(30));
  }

  @Test
  void aNodeOnWhichNothingStartsLooksWorseWithEverySecond() {
    estimator.firstQueued(0);
    assertThat(estimator.estimate(1, 0, 1, 0)).isEqualTo(Duration.ofSeconds(2));
    assertThat(estimator.estimate(1, 0, 1, 60 * SECOND)).isEqualTo(Duration.ofMinutes(2));
    assertThat(estimator.estimate(9, 0, 1, Long.MAX_VALUE)).isEqualTo(Duration.ofDays(1));
  }

  @Test
  void aNewQueueForgetsHowLongTheLastOneWaited() {
    estimator.firstQueued(0);
    estimator.firstQueued(100 * SECOND);
    assertThat(estimator.estimate(1, 0, 1, 100 * SECOND)).isEqualTo(Duration.ofSeconds(2));
  }
}
