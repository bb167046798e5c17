/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.kill.VictimOrder;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.BestEffortTasks.Task;
import io.charon.core.mechanism.WorkingSet;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class EvictionTest {
  private final SampledNode node = new SampledNode();
  private final Eviction eviction = of(new MemoryLineRule(70, 68), Duration.ZERO);

  private static Eviction of(EvictionRule rule, Duration grace) {
    return new Eviction(rule, VictimOrder.NEWEST, grace, Availability.available());
  }

  private List<String> evicted(long usedMebibytes) {
    node.usedMebibytes = usedMebibytes;
    return ids(eviction.decide(node.second()));
  }

  private static List<String> ids(List<Action> actions) {
    return actions.stream().map(Action::target).toList();
  }

  private double unmet() {
    return eviction.report().value(Eviction.UNMET).orElseThrow() / SampledNode.MIB;
  }

  @Test
  void theNewestGoUntilTheLowerLineIsReached() {
    node.runs("oldest", 30);
    node.runs("older", 30);
    node.runs("newest", 30);
    assertThat(evicted(699)).isEmpty();
    assertThat(evicted(700)).containsExactly("newest");
    assertThat(evicted(730)).containsExactly("newest", "older");
    assertThat(unmet()).isZero();
  }

  @Test
  void nothingHappensForACoolDownAfterAnyKill() {
    node.runs("c", 30);
    node.killedNanos = OptionalLong.of(node.nanos + SampledNode.SECOND);
    assertThat(evicted(700)).isEmpty();
    assertThat(eviction.report().detail())
        .contains("no eviction yet: a container was killed a moment ago");
    assertThat(evicted(700)).isEmpty();
    assertThat(evicted(700)).isEmpty();
    assertThat(evicted(700)).isEmpty();
    assertThat(evicted(700)).as("4 s later").containsExactly("c");
  }

  @Test
  void aKillThatIsNotedAfterTheLookWasTakenCountsAndOneOfAnotherClockDoesNot() {
    node.runs("c", 30);
    node.killedNanos = OptionalLong.of(node.nanos + SampledNode.SECOND + 1000);
    assertThat(evicted(700)).isEmpty();
    node.killedNanos = OptionalLong.of(node.nanos + 3600 * SampledNode.SECOND);
    assertThat(evicted(700)).containsExactly("c");
  }

  @Test
  void aShortageWithoutVictimsIsUnmetAndHasNoOtherEffect() {
    for (int i = 0; i < 100; i++) {
      assertThat(evicted(900)).isEmpty();
      assertThat(unmet()).isEqualTo(220);
    }
    node.runs("small", 20);
    assertThat(evicted(900)).containsExactly("small");
    assertThat(unmet()).isEqualTo(200);
    assertThat(eviction.report().detail().orElseThrow()).startsWith("unmet: ");
    assertThat(evicted(600)).isEmpty();
    assertThat(unmet()).isZero();
  }

  @Test
  void atOneLookFiveEndAndThoseThatAreDyingAreAmongThem() {
    for (int i = 0; i < 500; i++) {
      node.runs("c%03d".formatted(i), 1);
    }
    assertThat(evicted(900)).containsExactly("c499", "c498", "c497", "c496", "c495");
    node.running.add(new Task("dying", 1, true));
    node.running.add(new Task("dying too", 1, true));
    assertThat(evicted(900)).hasSize(3);
  }

  @Test
  void whileAllAreDyingNoneIsChosen() {
    for (int i = 0; i < 7; i++) {
      node.running.add(new Task("c" + i, WorkingSet.of(10), true, 0, 1, true));
    }
    assertThat(evicted(1000)).isEmpty();
  }

  @Test
  void ifAnotherOneDiesMeanwhileThatHasToDo() {
    node.runs("a", 30);
    node.runs("b", 30);
    node.runs("c", 30);
    node.running.add(new Task("dying", 1, true));
    node.usedMebibytes = 730;
    List<Action> actions = eviction.decide(node.second());
    assertThat(ids(actions)).containsExactly("c", "b");
    assertThat(actions)
        .allSatisfy(action -> assertThat(((Action.Kill) action).instead()).containsExactly("a"));
  }

  @Test
  void theGraceAndTheReasonGoWithTheAction() {
    node.runs("c", 30);
    node.usedMebibytes = 700;
    Action.Kill kill =
        (Action.Kill)
            of(new MemoryLineRule(70, 68), Duration.ofSeconds(5)).decide(node.second()).get(0);
    assertThat(kill.grace()).isEqualTo(Duration.ofSeconds(5));
    assertThat(kill.basis().reason())
        .endsWith("down to 68 %; killing this container releases 30 MiB");
  }

  @Test
  void underPressureOneEndsHoweverMuchIsMissing() {
    for (int i = 0; i < 9; i++) {
      node.runs("c" + i, 1);
    }
    Eviction pressed = of(new PressureRule(5, 80, Duration.ofSeconds(1)), Duration.ZERO);
    node.usedMebibytes = 950;
    node.somePercent = 60;
    assertThat(pressed.decide(node.second())).isEmpty();
    assertThat(ids(pressed.decide(node.second()))).containsExactly("c8");
  }

  /** In mode observe no container is killed, so the same eviction is requested at each sample. */
  @Test
  void theSameActionIsWantedUntilAContainerEnds() {
    node.runs("a", 30);
    node.runs("b", 30);
    for (int i = 0; i < 100; i++) {
      assertThat(evicted(700)).containsExactly("b");
    }
  }
}
