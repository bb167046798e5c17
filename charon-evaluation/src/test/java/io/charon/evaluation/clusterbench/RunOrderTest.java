/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunOrderTest {
  private static ClusterOptions options(int repetitions) {
    return new ClusterOptions(
        List.of(ProductionKind.BATCH, ProductionKind.SERVICE),
        List.of(ClusterMode.STOCK_YARN, ClusterMode.THRESHOLD, ClusterMode.CHARON),
        List.of(1, 3),
        BestEffortKind.MAPREDUCE,
        BestEffortPlacement.CENTRALIZED,
        repetitions,
        Duration.ofMinutes(1),
        false);
  }

  @Test
  void eachRepetitionRunsEveryModeAtEveryLoadOnceAndProductionAloneTwice() {
    List<PlannedRun> runs = RunOrder.of(options(3));

    assertThat(runs).hasSize(2 * 3 * (3 * 2 + 2)).doesNotHaveDuplicates();
    assertThat(runs)
        .filteredOn(run -> !run.mode().runsBestEffort())
        .allMatch(run -> run.load() == 0);
  }

  @Test
  void eachRepetitionBeginsWithAnotherRunThanTheOneBefore() {
    List<PlannedRun> runs = RunOrder.of(options(3));

    assertThat(List.of(runs.get(0), runs.get(8), runs.get(16)))
        .containsExactly(
            new PlannedRun(ProductionKind.BATCH, ClusterMode.ALONE, 0, 0),
            new PlannedRun(ProductionKind.BATCH, ClusterMode.STOCK_YARN, 1, 1),
            new PlannedRun(ProductionKind.BATCH, ClusterMode.THRESHOLD, 1, 2));
  }

  @Test
  void theTwoRunsAloneAreHalfARepetitionApart() {
    assertThat(RunOrder.of(options(1)).subList(0, 8))
        .extracting(PlannedRun::mode)
        .containsExactly(
            ClusterMode.ALONE,
            ClusterMode.STOCK_YARN,
            ClusterMode.THRESHOLD,
            ClusterMode.CHARON,
            ClusterMode.ALONE_AGAIN,
            ClusterMode.STOCK_YARN,
            ClusterMode.THRESHOLD,
            ClusterMode.CHARON);
  }
}
