/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProductionPaceTest {
  private static final WorkloadPlan PLAN =
      WorkloadPlan.of(
          WorkloadKind.MEMORY,
          2560,
          WorkloadTimes.usual(Duration.ofSeconds(8), Duration.ofSeconds(80)),
          false);

  @Property
  void productionIsBusyAndOutlastsTheMeasurementOnFastAndOnSlowMachines(
      @ForAll @IntRange(min = 10, max = 500) int batchMillis) {
    ProductionPace pace = ProductionPace.of(Duration.ofMillis(batchMillis), PLAN);
    double busy = batchMillis / (batchMillis + (double) pace.arrival().toMillis());
    long lastsMillis = pace.batches() * (batchMillis + pace.arrival().toMillis());

    assertThat(busy).isBetween(0.25, 0.31);
    assertThat(lastsMillis).isBetween(103_000L, 105_500L);
  }

  @Test
  void isByTheTimeOfABatchHere(@TempDir Path directory) throws Exception {
    Path part = Files.writeString(directory.resolve("part-0"), "one two three ".repeat(10_000));

    Duration batch = ProductionPace.measureBatch(new InputText(List.of(part)), PLAN.nodes());

    assertThat(batch).isPositive();
  }

  @Property
  void onASlowMachineProductionLastsAsMuchLongerAsTheRest(
      @ForAll @IntRange(min = 10, max = 500) int batchMillis) {
    Duration batch = Duration.ofMillis(batchMillis);
    WorkloadPlan plan = PLAN.on(batch);
    ProductionPace pace = ProductionPace.of(batch, plan);
    double lastsMillis = pace.batches() * (batchMillis + pace.arrival().toMillis());

    assertThat(lastsMillis / plan.times().slowdown()).isBetween(102_500.0, 106_000.0);
  }

  @Test
  void aBatchThatTakesNoTimeHasNoPace() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProductionPace.of(Duration.ZERO, PLAN))
        .withMessageContaining("PT0S");
  }
}
