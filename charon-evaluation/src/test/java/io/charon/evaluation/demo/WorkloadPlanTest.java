/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class WorkloadPlanTest {
  private static final Duration WINDOW = Duration.ofSeconds(100);

  @Property
  void productionReservesTwoThirdsAndMastersAndBestEffortTasksFit(
      @ForAll @IntRange(min = 3072, max = 65536) int nodeMemoryMb) {
    WorkloadPlan plan = cpu(nodeMemoryMb, WINDOW);

    assertThat(plan.productionReservedFraction()).isBetween(0.65, 0.75);
    int masters = WorkloadPlan.PARALLEL_BEST_EFFORT_JOBS * WorkloadPlan.BEST_EFFORT_MASTER_MB;
    assertThat(plan.productionReservedMb() + masters + plan.nodes() * plan.bestEffortTaskMb())
        .as("the cluster has room for all masters and one best-effort task for each node")
        .isLessThanOrEqualTo(plan.clusterMb());
    assertThat(plan.productionTaskMb() + WorkloadPlan.PRODUCTION_MASTER_MB + masters)
        .as("one node has room for all masters")
        .isLessThanOrEqualTo(plan.nodeManagerMemoryMb());
  }

  @Property
  void noNodeHoldsTwoProductionTasks(@ForAll @IntRange(min = 3072, max = 65536) int nodeMemoryMb) {
    WorkloadPlan plan = cpu(nodeMemoryMb, WINDOW);

    assertThat(2 * plan.productionTaskMb()).isGreaterThan(plan.nodeManagerMemoryMb());
  }

  @Test
  void namesTheSmallestNodeThatWorks() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cpu(1024, WINDOW))
        .withMessageMatching("--node-memory-mb 1024 is too small: use at least \\d{4}");
  }

  @Property
  void reservationsLeaveRoomForSomePacedTasksOnEachNodeAndLittleElse(
      @ForAll @IntRange(min = 2048, max = 16384) int nodeMemoryMb) {
    WorkloadPlan plan =
        WorkloadPlan.of(
            WorkloadKind.MEMORY, nodeMemoryMb, WorkloadTimes.usual(Duration.ZERO, WINDOW), false);
    int beside = plan.nodeManagerMemoryMb() - plan.productionTaskMb();
    int withMaster = beside - WorkloadPlan.PRODUCTION_MASTER_MB;
    int withTaskMaster = beside - WorkloadPlan.TASK_MASTER_MB;

    assertThat(withMaster / plan.bestEffortTaskMb()).isEqualTo(3);
    assertThat(withTaskMaster / plan.bestEffortTaskMb()).isEqualTo(3);
    assertThat(6.0 * plan.bestEffortTaskMb() / (withMaster + withTaskMaster)).isGreaterThan(0.85);
  }

  @Property
  void theWindowHasRoomForTheStartAndTwoTasksOfAverageLength(
      @ForAll @IntRange(min = 20, max = 3600) int windowSeconds) {
    Duration window = Duration.ofSeconds(windowSeconds);
    WorkloadPlan plan =
        WorkloadPlan.of(
            WorkloadKind.MEMORY, 2560, WorkloadTimes.usual(Duration.ZERO, window), false);

    assertThat(plan.times().shortestTask()).isPositive().isLessThan(plan.times().longestTask());
    assertThat(plan.times().shortestTask().plus(plan.times().longestTask()).plusSeconds(10))
        .isLessThanOrEqualTo(window);
  }

  @Property
  void tasksOfTheShortestWindowsLastAtLeastASecond(
      @ForAll @IntRange(min = 10, max = 20) int windowSeconds) {
    Duration window = Duration.ofSeconds(windowSeconds);
    WorkloadPlan plan =
        WorkloadPlan.of(
            WorkloadKind.MEMORY, 2560, WorkloadTimes.usual(Duration.ZERO, window), false);

    assertThat(plan.times().shortestTask()).isGreaterThan(Duration.ofSeconds(1));
  }

  private static WorkloadPlan cpu(int nodeMemoryMb, Duration window) {
    return WorkloadPlan.of(
        WorkloadKind.CPU, nodeMemoryMb, WorkloadTimes.usual(Duration.ZERO, window), false);
  }
}
