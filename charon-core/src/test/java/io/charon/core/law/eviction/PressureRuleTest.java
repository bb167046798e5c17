/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.eviction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.eviction.EvictionRule.Shortage;
import io.charon.core.mechanism.BestEffortTasks.Task;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PressureRuleTest {
  private static final Duration TICK = Duration.ofSeconds(1);

  private final SampledNode node = new SampledNode();
  private final PressureRule rule = new PressureRule(5, 80, TICK);

  private boolean finds(double somePercent, long usedMebibytes) {
    node.somePercent = somePercent;
    node.usedMebibytes = usedMebibytes;
    return rule.find(node.second()).shortage().isPresent();
  }

  @Test
  void bothAtTwoLooksInARow() {
    assertThat(finds(5, 800)).isFalse();
    assertThat(finds(5, 800)).isTrue();
    assertThat(finds(90, 990)).isTrue();
  }

  @Test
  void pressureAloneIsNoReason() {
    for (int i = 0; i < 100; i++) {
      assertThat(finds(100, 799)).isFalse();
    }
  }

  @Test
  void useAloneIsNoReason() {
    for (int i = 0; i < 100; i++) {
      assertThat(finds(4.99, 1000)).isFalse();
    }
  }

  @Test
  void oneLookBetweenBeginsAnew() {
    assertThat(finds(9, 900)).isFalse();
    assertThat(finds(0, 900)).isFalse();
    assertThat(finds(9, 900)).isFalse();
    assertThat(finds(9, 700)).isFalse();
    assertThat(finds(9, 900)).isFalse();
    assertThat(finds(9, 900)).isTrue();
  }

  /** The average of ten seconds takes 21 s from 40 % to 5 %, five times the cool-down. */
  @Test
  void pressureThatEndedWithAnEvictionIsNoReasonForTheNext() {
    assertThat(finds(40, 900)).isFalse();
    assertThat(finds(40, 900)).isTrue();
    node.waits = false;
    for (double average = 36; average >= 5; average *= 0.905) {
      assertThat(finds(average, 900)).as("%s %%", average).isFalse();
    }
    node.waits = true;
    assertThat(finds(9, 900)).isFalse();
    assertThat(finds(9, 900)).as("it is back").isTrue();
  }

  @Test
  void looksThatAreFarApartOrGoBackAreNotInARow() {
    node.somePercent = 50;
    node.usedMebibytes = 900;
    assertThat(rule.find(node.second()).shortage()).isEmpty();
    assertThat(rule.find(node.after(11 * SampledNode.SECOND)).shortage()).isEmpty();
    assertThat(rule.find(node.after(-1)).shortage()).isEmpty();
    assertThat(rule.find(node.second()).shortage()).isPresent();
  }

  @Test
  void withASlowTickTwoTicksAreInARow() {
    PressureRule slow = new PressureRule(5, 80, Duration.ofSeconds(60));
    node.somePercent = 50;
    node.usedMebibytes = 900;
    assertThat(slow.find(node.second()).shortage()).isEmpty();
    assertThat(slow.find(node.after(61 * SampledNode.SECOND)).shortage()).isPresent();
    assertThat(slow.find(node.after(121 * SampledNode.SECOND)).shortage()).isEmpty();
  }

  @Test
  void oneContainerAndAtMostTwoPercent() {
    finds(50, 900);
    finds(50, 900);
    Shortage shortage = rule.find(node.second()).shortage().orElseThrow();
    assertThat(shortage.most()).isEqualTo(1);
    assertThat(shortage.amount()).isEqualTo(20.0 * SampledNode.MIB);
    assertThat(shortage.basis().inputs().keySet())
        .containsExactlyInAnyOrder("somePercent", "used", "capacity");
    node.running.add(new Task("dying", 20 * SampledNode.MIB, true));
    assertThat(rule.find(node.second()).shortage()).as("that is on its way").isEmpty();
  }

  @Test
  void numbersThatAreNoneAreRefused() {
    assertThatThrownBy(() -> new PressureRule(0, 80, TICK))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PressureRule(Double.NaN, 80, TICK))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PressureRule(5, 101, TICK))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
