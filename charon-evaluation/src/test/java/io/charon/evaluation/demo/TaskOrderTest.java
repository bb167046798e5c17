/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskOrderTest {
  private static final Path ANY = Path.of("any");

  private final List<TaskOrder> stream = TaskOrder.stream(Results.PLAN, 16);

  @Test
  void tasksLastAsLongAsThePlanSaysAndKindsTakeTurns() {
    assertThat(stream)
        .allSatisfy(
            order ->
                assertThat(order.length())
                    .isBetween(
                        Results.PLAN.times().shortestTask(), Results.PLAN.times().longestTask()));
    assertThat(stream).extracting(TaskOrder::length).contains(Results.PLAN.times().longestTask());
    assertThat(stream.subList(0, 12).stream().map(TaskOrder::kind).distinct())
        .containsExactly(TaskKind.SORT, TaskKind.GREP, TaskKind.JOIN);
  }

  @Test
  void aTaskReadsItsPartsWithinItsLength() {
    TaskOrder order = stream.get(0);
    List<String> command = order.command(ANY, ANY, 16, 4 << 20, ANY);

    double bytesPerSecond = Double.parseDouble(command.get(6));
    assertThat(order.parts() * (4 << 20) / bytesPerSecond)
        .isCloseTo(order.length().toMillis() / 1000.0, withPercentage(1));
  }
}
