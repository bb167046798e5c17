/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.eviction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.eviction.EvictionRule.MemoryUse;
import io.charon.core.law.eviction.EvictionRule.Shortage;
import io.charon.core.mechanism.BestEffortTasks.Task;
import io.charon.core.mechanism.WorkingSet;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MemoryLineRuleTest {
  private final SampledNode node = new SampledNode();
  private final MemoryLineRule rule = new MemoryLineRule(70, 68);

  private OptionalLong released(long usedMebibytes) {
    node.usedMebibytes = usedMebibytes;
    return rule.find(node.second()).shortage().stream()
        .mapToLong(shortage -> Math.round(shortage.amount() / SampledNode.MIB))
        .findFirst();
  }

  @Test
  void fromTheLineOnAllAboveTheLowerOneIsToBeReleased() {
    assertThat(released(0)).isEmpty();
    assertThat(released(699)).isEmpty();
    assertThat(released(700)).hasValue(20);
    assertThat(released(750)).hasValue(70);
    assertThat(released(1000)).hasValue(320);
    assertThat(released(5000)).as("no more than there is").hasValue(320);
  }

  @Test
  void memoryOfDyingContainersCountsAsReturning() {
    node.running.add(new Task("dying", 15 * SampledNode.MIB, true));
    assertThat(released(700)).hasValue(5);
    node.running.add(new Task("dying too", 5 * SampledNode.MIB, true));
    assertThat(released(700)).isEmpty();
  }

  @Test
  void filesThatOutliveADyingContainerDoNotReturn() {
    WorkingSet held =
        new WorkingSet(15 * SampledNode.MIB, 10 * SampledNode.MIB, 10 * SampledNode.MIB);
    node.running.add(new Task("dying", held, true, 0, 1, true));
    assertThat(released(700)).hasValue(15);
  }

  @Test
  void aNodeWithoutMemoryIsNeverFull() {
    assertThat(new MemoryUse(0, 0).isAtLeast(0)).isFalse();
    assertThat(new MemoryUse(-5, -7).isAtLeast(0)).isFalse();
  }

  @Test
  void itSaysWhatItSaw() {
    node.usedMebibytes = 730;
    Shortage shortage = rule.find(node.second()).shortage().orElseThrow();
    assertThat(shortage.basis().inputs().keySet())
        .containsExactlyInAnyOrder("used", "capacity", "release");
    assertThat(shortage.basis().reason())
        .isEqualTo(
            "eviction above a memory line: 730 of 1000 MiB are in use, threshold 70 %; 50 MiB are to"
                + " be released, down to 68 %");
  }

  @Test
  void aLineThatIsNoneIsRefused() {
    assertThatThrownBy(() -> new MemoryLineRule(70, 70)).hasMessageContaining("lower 70 %");
    assertThatThrownBy(() -> new MemoryLineRule(101, 70)).hasMessageContaining("101");
    assertThatThrownBy(() -> new MemoryLineRule(70, 0)).hasMessageContaining("0");
  }
}
