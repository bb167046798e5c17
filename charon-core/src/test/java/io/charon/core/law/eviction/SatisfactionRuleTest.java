/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.eviction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.kill.VictimOrder;
import io.charon.core.law.eviction.EvictionRule.Shortage;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.BestEffortTasks.Task;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.WorkingSet;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SatisfactionRuleTest {
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final SatisfactionRule.Settings SETTINGS =
      new SatisfactionRule.Settings(60, 80, 90, Duration.ofSeconds(60));

  private final SampledNode node = new SampledNode();
  private final SatisfactionRule rule = new SatisfactionRule(SETTINGS, TICK);

  private void asks(int vcores) {
    node.running.clear();
    node.running.add(new Task("c", WorkingSet.of(1), false, 0, vcores, true));
  }

  /** Runs some seconds with the given limit for best-effort, of which it uses the given share. */
  private Optional<Shortage> seconds(int seconds, double limit, double share) {
    node.quota = OptionalDouble.of(limit);
    node.bestEffort = Measurement.of(limit * share);
    Optional<Shortage> shortage = Optional.empty();
    for (int second = 0; second < seconds; second++) {
      shortage = rule.find(node.second()).shortage();
    }
    return shortage;
  }

  @Test
  void afterAWindowOfBothSoMuchIsReleasedThatTheOthersAreSatisfied() {
    asks(2);
    assertThat(seconds(60, 0.8, 1)).as("59 seconds are known").isEmpty();
    Shortage shortage = seconds(1, 0.8, 1).orElseThrow();
    assertThat(shortage.amount()).as("2 * (80 % - 40 %)").isCloseTo(0.8, within(1e-9));
    assertThat(shortage.basis().inputs().keySet())
        .containsExactlyInAnyOrder("limit", "request", "use");
    assertThat(shortage.basis().reason())
        .isEqualTo(
            "eviction for CPU satisfaction: best-effort may use 0.80 cores and asks for 2, which is"
                + " 40 %, at or below 60 % for 60 s; it uses 0.80; 0.80 vcores are to be released, up to"
                + " 80 %");
  }

  @Test
  void aContainerThatIsSatisfiedOrWantsNoMoreIsLeftAlone() {
    asks(2);
    assertThat(seconds(200, 1.21, 1)).as("61 %").isEmpty();
    assertThat(seconds(200, 0.8, 0.89)).as("does not use it").isEmpty();
    asks(0);
    assertThat(seconds(200, 0.8, 1)).as("asks for nothing").isEmpty();
    node.running.clear();
    assertThat(seconds(200, 0.8, 1)).as("nobody runs").isEmpty();
  }

  @Test
  void bothTheMeanAndTheMomentCount() {
    asks(2);
    seconds(61, 0.8, 1);
    assertThat(seconds(1, 4, 1)).as("satisfied at this moment").isEmpty();
    assertThat(seconds(1, 0.8, 0)).as("idle at this moment").isEmpty();
    assertThat(seconds(1, 0.8, 1)).as("the mean of one good second is below").isPresent();
    seconds(61, 2, 1);
    assertThat(seconds(30, 0.8, 1)).as("the mean is above").isEmpty();
  }

  /** The larger value determines the amount, which is the gentler choice. */
  @Test
  void theLargerSatisfactionSaysHowMuch() {
    asks(10);
    seconds(61, 5, 1);
    assertThat(seconds(1, 1, 1).orElseThrow().amount()).isBetween(3.0, 3.1);
    assertThat(seconds(59, 1, 1).orElseThrow().amount()).isCloseTo(7, within(1e-6));
  }

  @Test
  void productionLimitsBestEffortToo() {
    asks(10);
    node.production = 5;
    assertThat(seconds(61, 8, 0.4).orElseThrow().amount()).isCloseTo(5, within(1e-9));
  }

  @Test
  void aContainerWithoutProcessorsIsStarved() {
    asks(1);
    assertThat(seconds(61, 0, 1).orElseThrow().amount()).isCloseTo(0.8, within(1e-9));
  }

  @Test
  void aDyingContainerNeedsNothing() {
    asks(1);
    node.running.add(new Task("dying", WorkingSet.of(1), true, 0, 50, true));
    assertThat(seconds(100, 0.9, 1)).isEmpty();
  }

  @Test
  void aFrozenContainerNeedsNothingAndIsNotChosen() {
    asks(2);
    node.running.add(new Task("frozen", WorkingSet.of(9), false, 0, 0, true));
    assertThat(seconds(100, 1.9, 1)).isEmpty();
    Eviction eviction =
        new Eviction(rule, VictimOrder.NEWEST, Duration.ZERO, Availability.available());
    seconds(60, 0.8, 1);
    assertThat(eviction.decide(node.second())).extracting(Action::target).containsExactly("c");
  }

  @Test
  void whileNobodyAsksForProcessorsNobodyStarves() {
    asks(2);
    seconds(31, 0.8, 1);
    node.running.clear();
    seconds(29, 0.8, 1);
    asks(2);
    assertThat(seconds(60, 0.8, 1)).as("the pause does not count").isEmpty();
    assertThat(seconds(1, 0.8, 1)).isPresent();
  }

  @Test
  void aCounterThatJumpsIsNoEvidence() {
    asks(2);
    seconds(61, 0.8, 0.5);
    // A single reading of a thousand times the limit does not raise the mean.
    assertThat(seconds(1, 0.8, 1000)).isEmpty();
    assertThat(seconds(1, 0.8, 1)).isEmpty();
  }

  @Test
  void whatIsMissingIsNoSampleAndALongGapBeginsAnew() {
    asks(2);
    seconds(40, 0.8, 1);
    node.bestEffort = Measurement.missing("cannot be read");
    assertThat(rule.find(node.second()).shortage()).isEmpty();
    assertThat(seconds(20, 0.8, 1)).as("the second is known by the next one").isPresent();
    assertThat(rule.find(node.after(31 * SampledNode.SECOND)).shortage()).isEmpty();
    assertThat(seconds(59, 0.8, 1)).isEmpty();
    assertThat(seconds(1, 0.8, 1)).isPresent();
  }

  @Test
  void aTickOfMoreThanHalfAWindowIsNoGap() {
    SatisfactionRule slow = new SatisfactionRule(SETTINGS, Duration.ofSeconds(31));
    asks(2);
    node.quota = OptionalDouble.of(0.8);
    node.bestEffort = Measurement.of(0.8);
    Optional<Shortage> shortage = Optional.empty();
    for (int sample = 0; sample < 12; sample++) {
      shortage = slow.find(node.after(31 * SampledNode.SECOND)).shortage();
    }
    assertThat(shortage).isPresent();
    assertThat(slow.find(node.after(63 * SampledNode.SECOND)).shortage()).isEmpty();
  }

  @Test
  void aClockThatStandsStillOrGoesBackBeginsAnew() {
    asks(2);
    seconds(61, 0.8, 1);
    assertThat(rule.find(node.after(-1000)).shortage()).isEmpty();
    assertThat(rule.find(node.after(0)).shortage()).isEmpty();
    assertThat(seconds(59, 0.8, 1)).isEmpty();
    assertThat(seconds(1, 0.8, 1)).isPresent();
  }

  @Test
  void settingsThatAreNoneAreRefused() {
    for (int[] wrong : new int[][] {{0, 80, 90}, {60, 59, 90}, {60, 101, 90}, {60, 80, 0}}) {
      assertThatThrownBy(
              () ->
                  new SatisfactionRule.Settings(
                      wrong[0], wrong[1], wrong[2], Duration.ofSeconds(60)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new SatisfactionRule.Settings(60, 80, 90, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
