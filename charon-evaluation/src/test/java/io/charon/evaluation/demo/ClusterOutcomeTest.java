/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterOutcomeTest {
  private static final ContainerCounts COUNTS = new ContainerCounts(12, 3, 0, 2, 1);

  @Test
  void tellsWhatJobsAndContainersDid() {
    assertThat(outcome(Optional.of(21.25), 4, 3, 0, List.of()).lines())
        .containsExactly(
            "Production:       completed in 21.3 s",
            "Best-effort jobs: 4 submitted, 3 completed, 0 failed, 1 ended by the demo",
            "Containers:       12 best-effort launched, 3 rejected, 2 killed for memory, 1 preempted");
  }

  @Test
  void holdsOnlyIfProductionAndABestEffortJobCompletedWithoutAProblem() {
    assertThat(outcome(Optional.of(20.0), 4, 3, 0, List.of()).ok()).isTrue();
    assertThat(outcome(Optional.empty(), 4, 4, 0, List.of()).ok()).isFalse();
    assertThat(outcome(Optional.of(20.0), 4, 0, 0, List.of()).ok()).isFalse();
    assertThat(outcome(Optional.of(20.0), 4, 3, 1, List.of()).ok()).isFalse();
    assertThat(outcome(Optional.of(20.0), 4, 4, 0, List.of("not sorted")).ok()).isFalse();
  }

  @Test
  void countsOnlyWhatHappenedMeanwhile() {
    assertThat(COUNTS.minus(new ContainerCounts(10, 3, 0, 1, 0)))
        .isEqualTo(new ContainerCounts(2, 0, 0, 1, 1));
  }

  private static ClusterOutcome outcome(
      Optional<Double> production,
      int submitted,
      int completed,
      int failed,
      List<String> problems) {
    return new ClusterOutcome(
        production, submitted, completed, failed, Optional.of(COUNTS), problems);
  }
}
