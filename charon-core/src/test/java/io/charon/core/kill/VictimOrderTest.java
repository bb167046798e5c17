/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.BestEffortTasks.Task;
import io.charon.core.mechanism.WorkingSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class VictimOrderTest {
  private static Task task(String id, long bytes, int priority) {
    return new Task(id, WorkingSet.of(bytes), false, priority, 1, true);
  }

  private static List<String> ids(VictimOrder order, double amount, int most, Task... oldestFirst) {
    return order
        .victims(new BestEffortTasks(List.of(oldestFirst)), Task::bytes, amount, most)
        .stream()
        .map(Task::id)
        .toList();
  }

  @Test
  void theNewestGoesFirstOfThoseOfOnePriority() {
    assertThat(ids(VictimOrder.NEWEST, 15, 9, task("a", 10, 1), task("b", 10, 1), task("c", 10, 1)))
        .containsExactly("c", "b");
  }

  @Test
  void theLargestGoesFirstOfThoseOfOnePriority() {
    assertThat(ids(VictimOrder.LARGEST, 31, 9, task("a", 9, 1), task("b", 30, 1), task("c", 8, 1)))
        .containsExactly("b", "a");
  }

  /** In YARN, a larger number is a lower priority. */
  @Test
  void theLowestPriorityGoesBeforeAnythingElse() {
    Task[] running = {task("low", 1, 20), task("high", 100, 1), task("higher", 100, 0)};
    assertThat(ids(VictimOrder.NEWEST, 50, 9, running)).containsExactly("low", "high");
    assertThat(ids(VictimOrder.LARGEST, 50, 9, running)).containsExactly("low", "high");
  }

  @Test
  void ofTwoEqualsTheOneWithTheHigherIdGoes() {
    assertThat(ids(VictimOrder.LARGEST, 1, 9, task("c2", 5, 1), task("c1", 5, 1)))
        .containsExactly("c2");
  }

  @Test
  void itStopsWhenTheAmountIsCoveredAndAtTheMost() {
    Task[] running = {task("a", 10, 0), task("b", 10, 0), task("c", 10, 0)};
    assertThat(ids(VictimOrder.NEWEST, 10, 9, running)).containsExactly("c");
    assertThat(ids(VictimOrder.NEWEST, 10.5, 9, running)).containsExactly("c", "b");
    assertThat(ids(VictimOrder.NEWEST, 1000, 2, running)).hasSize(2);
    assertThat(ids(VictimOrder.NEWEST, 1000, 0, running)).isEmpty();
    assertThat(ids(VictimOrder.NEWEST, 1000, -3, running)).isEmpty();
    assertThat(ids(VictimOrder.NEWEST, 0, 9, running)).isEmpty();
    assertThat(ids(VictimOrder.NEWEST, -1, 9, running)).isEmpty();
    assertThat(ids(VictimOrder.NEWEST, Double.NaN, 9, running)).isEmpty();
  }

  @Test
  void dyingContainersMastersAndThoseThatReleaseNothingAreNotChosen() {
    assertThat(
            ids(
                VictimOrder.NEWEST,
                1000,
                9,
                task("runs", 10, 0),
                new Task("dying", WorkingSet.of(10), true, 9, 1, true),
                new Task("master", WorkingSet.of(10), false, 9, 1, false),
                task("empty", 0, 9)))
        .containsExactly("runs");
  }
}
