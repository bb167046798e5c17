/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.charon.evaluation.demo.BestEffortOrder;
import io.charon.evaluation.demo.WorkloadPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterPlanTest {
  private final ClusterPlan plan = new ClusterPlan(Duration.ofMinutes(4));

  @Test
  void productionAndAllMastersFitOnOneNodeSoThatProductionNeverWaits() {
    int masters =
        WorkloadPlan.PRODUCTION_MASTER_MB
            + ClusterPlan.PARALLEL_BEST_EFFORT_JOBS * WorkloadPlan.BEST_EFFORT_MASTER_MB;

    assertThat(ClusterPlan.PRODUCTION_TASK_MB + masters)
        .isLessThanOrEqualTo(ClusterPlan.NODE_MANAGER_MEMORY_MB);
    assertThat(ClusterPlan.productionReservedShare()).isBetween(0.6, 0.75);
  }

  @Test
  void tasksAtX3AskForMoreMemoryThanProductionLeaves() {
    for (int seconds : List.of(120, 180, 240, 300)) {
      ClusterPlan one = new ClusterPlan(Duration.ofSeconds(seconds));
      double production = (0.7 * ClusterPlan.PRODUCTION_TASK_MB) / ClusterPlan.NODE_MEMORY_MB;

      assertThat(one.taskDemand(3) + production).as(seconds + " s").isBetween(1.1, 1.4);
      assertThat(one.taskDemand(1)).isCloseTo(one.taskDemand(3) / 3, within(1e-9));
    }
  }

  @Test
  void noTaskHoldsMoreThanItsReservation() {
    for (ProductionKind kind : ProductionKind.values()) {
      for (MemoryTask task : plan.productionTasks(kind)) {
        for (MemoryTask.Step step : task.steps()) {
          assertThat(step.chunks() * PagedMemory.CHUNK_MB + ClusterPlan.JVM_MB)
              .as(kind.label())
              .isBetween(300, ClusterPlan.PRODUCTION_TASK_MB);
        }
      }
    }
  }

  @Test
  void aLongerHorizonHasMoreTasksAndSteps() {
    ClusterPlan shorter = new ClusterPlan(Duration.ofMinutes(1));

    assertThat(shorter.productionTasks(ProductionKind.BATCH)).hasSize(4);
    assertThat(plan.productionTasks(ProductionKind.BATCH)).hasSize(20);
    assertThat(plan.productionTasks(ProductionKind.STEPS))
        .hasSize(ClusterPlan.NODES)
        .allMatch(task -> task.steps().size() == 24);
    assertThat(plan.productionTasks(ProductionKind.SERVICE)).hasSize(ClusterPlan.NODES - 1);
  }

  @Test
  void anotherLoadRepeatsEverySubmissionAtEqualDistances() {
    List<Path> parts = List.of(Path.of("a"), Path.of("b"), Path.of("c"));
    List<BestEffortOrder> once = MapReduceLoad.orders(plan, parts, 1);
    List<BestEffortOrder> thrice = MapReduceLoad.orders(plan, parts, 3);

    assertThat(once).hasSize(6).allMatch(order -> order.at().compareTo(plan.submissions()) < 0);
    assertThat(thrice).hasSize(18).isSortedAccordingTo(Comparator.comparing(BestEffortOrder::at));
    assertThat(thrice).extracting(BestEffortOrder::index).doesNotHaveDuplicates();
    for (int i = 0; i < thrice.size(); i++) {
      assertThat(thrice.get(i).at())
          .isEqualTo(once.get(i / 3).at().plus(Duration.ofSeconds(10).multipliedBy(i % 3)));
      assertThat(thrice.get(i).kind()).isEqualTo(once.get(i / 3).kind());
    }
    assertThat(MapReduceLoad.orders(plan, parts, 0)).isEmpty();
  }
}
