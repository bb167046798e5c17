/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTimesTest {
  private static final WorkloadTimes USUAL =
      WorkloadTimes.usual(Duration.ofSeconds(12), Duration.ofSeconds(80));

  @ParameterizedTest
  @CsvSource({"5, 1.0", "75, 1.0", "78, 1.0", "80, 1.1", "114, 1.5", "149, 2.0", "500, 2.0"})
  void everythingLastsLongerOnASlowMachineInStepsOfATenthUpToTwice(int batchMillis, double times) {
    WorkloadTimes slowed = USUAL.on(Duration.ofMillis(batchMillis));

    assertThat(slowed.slowdown()).isEqualTo(times);
    assertThat(slowed.window().toMillis()).isEqualTo(Math.round(80_000 * times));
    assertThat(slowed.baseline().toMillis()).isEqualTo(Math.round(12_000 * times));
    assertThat(slowed.shortestTask().toMillis()).isEqualTo(Math.round(20_000 * times));
    assertThat(slowed.longestTask().toMillis()).isEqualTo(Math.round(40_000 * times));
    assertThat(slowed.measured().toMillis()).isEqualTo(Math.round(109_000 * times));
  }

  @Test
  void theTasksOfALongWindowAreNotLonger() {
    WorkloadTimes times = WorkloadTimes.usual(Duration.ZERO, Duration.ofMinutes(4));

    assertThat(times.shortestTask()).hasSeconds(WorkloadTimes.SHORTEST_TASK_SECONDS);
    assertThat(times.longestTask()).hasSeconds(WorkloadTimes.LONGEST_TASK_SECONDS);
  }

  @Test
  void asMuchIsSubmittedOnASlowMachine() {
    WorkloadPlan slow = Results.PLAN.on(Duration.ofMillis(100));

    assertThat(TaskOrder.stream(slow, 16)).hasSameSizeAs(TaskOrder.stream(Results.PLAN, 16));
  }

  @Test
  void aSlowdownOutOfItsRangeIsRefused() {
    for (double slowdown : new double[] {0.99, 2.01, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> new WorkloadTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO, slowdown))
          .withMessage("A slowdown of " + slowdown);
    }
  }
}
