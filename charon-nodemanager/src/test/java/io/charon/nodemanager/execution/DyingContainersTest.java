/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DyingContainersTest {
  private static final List<String> ALL = List.of("c1", "c2", "c3", "c4");

  private long nanos;
  private Runnable news = () -> {};
  private final DyingContainers dying = new DyingContainers(() -> nanos, () -> news.run());

  @Test
  void oneAtATimeUntilItIsGoneOrHasHadItsTime() {
    assertThat(dying.claim("c1", ALL)).isTrue();
    assertThat(dying.claim("c2", ALL)).isFalse();
    assertThat(dying.claim("c2", List.of("c2", "c3"))).as("c1 is none of these").isTrue();

    dying.remove("c1");
    dying.remove("c2");
    assertThat(dying.claim("c3", ALL)).isTrue();
    nanos += DyingContainers.GRACE.toNanos();
    assertThat(dying.contains("c3")).isFalse();
    assertThat(dying.claim("c3", ALL)).as("it did not go, and is tried again").isTrue();
  }

  @Test
  @Tag("must-never")
  void noContainerIsKilledTwice() {
    dying.add("c1");
    nanos += DyingContainers.GRACE.toNanos() - 1;
    dying.add("c1"); // a second reading does not restart its time
    assertThat(dying.claim("c1", List.of())).isFalse();
    nanos++;
    assertThat(dying.claim("c1", List.of())).isTrue();
  }

  private static Action.Kill kill(String id, Duration grace) {
    return new Action.Kill(
        id, List.of(), grace, new Basis("the node", Map.of(), 0, "a rule", "a reason"));
  }

  private List<String> overdue() {
    return dying.overdue().stream().map(asked -> asked.kill().target()).toList();
  }

  @Test
  void aTerminatedContainerIsEndingUntilItsGraceIsOverAndDyingAfterwards() {
    dying.claim("c1", ALL);
    dying.asked("evict", kill("c1", Duration.ofSeconds(5)));
    dying.asked("evict", kill("c2", Duration.ofSeconds(60)));
    nanos += Duration.ofSeconds(5).toNanos() - 1;
    assertThat(dying.isEnding("c1")).isTrue();
    assertThat(overdue()).isEmpty();
    nanos++;
    assertThat(overdue()).containsExactly("c1");
    assertThat(dying.contains("c1")).as("by a kill, which has its own time").isTrue();
    assertThat(overdue()).as("once").isEmpty();
    assertThat(dying.isEnding("c2")).isTrue();
    nanos += DyingContainers.GRACE.toNanos();
    assertThat(dying.isEnding("c1")).as("it did not go, and may be tried again").isFalse();
  }

  @Test
  @Tag("must-never")
  void anEndedOrPromotedContainerIsNotKilledAfterItsGrace() {
    dying.asked("evict", kill("c1", Duration.ofSeconds(5)));
    dying.remove("c1");
    dying.asked("evict", kill("c2", Duration.ofSeconds(5)));
    assertThat(dying.spare("c2")).isTrue();
    dying.add("c3");
    assertThat(dying.spare("c3")).as("it was killed").isFalse();
    nanos += Duration.ofHours(1).toNanos();
    assertThat(overdue()).isEmpty();
    assertThat(dying.isEnding("c1")).isFalse();
  }

  /** A killer that needs memory at once does not wait for another killer's grace period. */
  @Test
  void anotherKillerMayHaveOneThatIsOnlyAsked() {
    dying.claim("c1", ALL);
    dying.asked("evict", kill("c1", Duration.ofMinutes(1)));
    assertThat(dying.claim("c1", ALL)).isFalse();
    nanos += DyingContainers.GRACE.toNanos();
    assertThat(dying.claim("c1", ALL)).isTrue();
  }

  @Test
  @Tag("must-never")
  void aContainerThatAnotherKillerKilledIsNotKilledAgainWhenItsGracePeriodEnds() {
    dying.claim("c1", ALL);
    dying.asked("evict", kill("c1", Duration.ofMinutes(1)));
    nanos += DyingContainers.GRACE.toNanos();
    dying.claim("c1", ALL);
    nanos += Duration.ofMinutes(1).toNanos();
    assertThat(overdue()).isEmpty();
    assertThat(dying.isEnding("c1")).as("it may be tried again").isFalse();
  }

  /** A user may send SIGTERM to its own container. */
  @Test
  void aSignalThatYarnSendsDoesNotExtendTheGracePeriod() {
    dying.claim("c1", ALL);
    dying.asked("evict", kill("c1", Duration.ofMinutes(1)));
    dying.add("c1");
    nanos += Duration.ofMinutes(1).toNanos();
    assertThat(overdue()).containsExactly("c1");
  }

  @Test
  void newKillsAreReadBeforeAVictimIsChosen() {
    news = () -> dying.add("c2");
    assertThat(dying.claim("c1", ALL)).isFalse();
  }

  @RepeatedTest(20)
  void ofKillersThatAskAtTheSameMomentOneIsAnswered() throws Exception {
    ExecutorService killers = Executors.newFixedThreadPool(ALL.size());
    CountDownLatch together = new CountDownLatch(ALL.size());
    AtomicInteger granted = new AtomicInteger();
    for (String victim : ALL) {
      killers.execute(
          () -> {
            together.countDown();
            try {
              together.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            if (dying.claim(victim, ALL)) {
              granted.incrementAndGet();
            }
          });
    }
    killers.shutdown();
    assertThat(killers.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    assertThat(granted).hasValue(1);
  }
}
