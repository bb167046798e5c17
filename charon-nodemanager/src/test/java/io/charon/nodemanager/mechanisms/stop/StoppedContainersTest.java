/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests on a virtual clock, with actions that are only recorded. */
class StoppedContainersTest {
  private final List<String> running = new ArrayList<>(List.of("c1", "c2"));
  private final Map<String, Phase> phases = new HashMap<>();
  private final Set<String> cold = new TreeSet<>();
  private final List<String> killed = new ArrayList<>();
  private final NodeMetrics metrics = new NodeMetrics();
  private Optional<String> cannotFreeze = Optional.empty();
  private boolean fails;
  private long nanos;

  private final StoppedContainers containers =
      new StoppedContainers(
          () -> List.copyOf(running),
          id -> phases.getOrDefault(id, Phase.RUNNING),
          new ActionExecutor(
              new DyingContainers(() -> nanos, () -> {}),
              (mechanism, id, reason) -> {},
              new ContainerControl() {
                @Override
                public Optional<String> cannotFreeze() {
                  return cannotFreeze;
                }

                @Override
                public boolean isFrozen(String containerId) {
                  return cold.contains(containerId);
                }

                @Override
                public void freeze(String containerId) throws IOException {
                  failIfItShall();
                  cold.add(containerId);
                }

                @Override
                public void thaw(String containerId) throws IOException {
                  failIfItShall();
                  cold.remove(containerId);
                }

                @Override
                public Killer killer() {
                  return containerId -> {
                    failIfItShall();
                    killed.add(containerId);
                  };
                }

                @Override
                public long reclaim(String containerId, long bytes, BooleanSupplier goesOn) {
                  throw new AssertionError("nobody asked");
                }
              },
              Audit.direct(Optional.empty(), Clock.systemUTC(), metrics.toleratedFailures()),
              metrics.toleratedFailures(),
              () -> nanos),
          () -> nanos);

  @Test
  void whatRunsIsLeftAlone() {
    follow(StopAction.LEAVE);
    assertThat(cold).isEmpty();
    assertThat(killed).isEmpty();
  }

  @Test
  void whatRunsStandsStillUntilItIsResumed() {
    follow(StopAction.FREEZE);
    assertThat(cold).containsExactly("c1", "c2");
    assertThat(containers.isFrozen("c1")).isTrue();
    running.add("c3"); // about to start when the order came
    phases.put("c3", Phase.STARTING);
    follow(StopAction.FREEZE);
    assertThat(cold).as("it has no processes yet").doesNotContain("c3");
    phases.put("c3", Phase.RUNNING);
    cold.remove("c1"); // thawed by another process
    follow(StopAction.FREEZE);
    assertThat(cold).containsExactly("c1", "c2", "c3");
    assertThat(containers.frozen()).containsExactly("c1", "c2", "c3");
    follow(StopAction.NONE);
    assertThat(cold).isEmpty();
    assertThat(containers.frozen()).isEmpty();
  }

  @Test
  void aContainerThatYarnPausedIsResumedByYarnOnly() {
    cold.add("c2");
    phases.put("c2", Phase.PAUSED);
    follow(StopAction.FREEZE);
    follow(StopAction.NONE);
    assertThat(cold).containsExactly("c2");
  }

  @Test
  void aContainerThatEndsOrIsPromotedIsThawed() {
    follow(StopAction.FREEZE);
    containers.release("c1");
    phases.put("c1", Phase.ENDING);
    running.remove("c2"); // promoted: no longer known to the gate
    follow(StopAction.FREEZE);
    assertThat(cold).isEmpty();
  }

  @Test
  void whatCannotBeThawedIsTriedAgain() {
    follow(StopAction.FREEZE);
    fails = true;
    follow(StopAction.NONE);
    assertThat(containers.frozen()).hasSize(2);
    assertThat(metrics.toleratedFailures().getCount()).isEqualTo(2);
    fails = false;
    follow(StopAction.NONE);
    assertThat(cold).isEmpty();
  }

  @Test
  void whatCannotBeFrozenIsTriedAgainAfterTenSeconds() {
    running.remove("c2");
    fails = true;
    for (int look = 0; look < 8; look++) {
      follow(StopAction.FREEZE);
      nanos += TimeUnit.MILLISECONDS.toNanos(250);
    }
    assertThat(metrics.toleratedFailures().getCount()).isEqualTo(1);
    running.add("c2");
    fails = false;
    follow(StopAction.FREEZE);
    assertThat(cold).as("others do not wait").containsExactly("c2");
    nanos += StoppedContainers.FAILED.toNanos();
    follow(StopAction.FREEZE);
    assertThat(cold).containsExactly("c1", "c2");
  }

  @Test
  void aNewOrderTriesAtOnceWhatCouldNotBeFrozen() {
    fails = true;
    follow(StopAction.FREEZE);
    follow(StopAction.NONE);
    fails = false;
    follow(StopAction.FREEZE);
    assertThat(cold).containsExactly("c1", "c2");
  }

  @Test
  void whereNothingCanBeFrozenThatIsSaid() {
    cannotFreeze = Optional.of("no cgroup");
    follow(StopAction.FREEZE);
    assertThat(cold).isEmpty();
    assertThat(containers.unavailable(order(StopAction.FREEZE))).contains("no cgroup");
    assertThat(containers.unavailable(order(StopAction.KILL))).isEmpty();
  }

  @Test
  @Tag("must-never")
  void killsAreLimitedPerDecisionAndNoContainerIsKilledTwice() {
    running.clear();
    IntStream.range(0, 10).forEach(number -> running.add("c" + number));
    phases.put("c9", Phase.STARTING);
    for (int look = 1; look <= 3; look++) {
      follow(StopAction.KILL);
      assertThat(killed).hasSize(look * StoppedContainers.MAX_KILLS).doesNotHaveDuplicates();
      nanos += TimeUnit.MILLISECONDS.toNanos(250);
    }
    follow(StopAction.KILL);
    assertThat(killed).as("the one that starts cannot be yet").hasSize(9);
    phases.put("c9", Phase.RUNNING);
    follow(StopAction.KILL);
    assertThat(killed).hasSize(10);

    running.retainAll(List.of("c5"));
    nanos += TimeUnit.SECONDS.toNanos(4);
    follow(StopAction.KILL);
    assertThat(killed).as("it did not go").hasSize(11).endsWith("c5");
  }

  @Test
  void victimsOfAnotherKillerAreLeftToIt() {
    phases.put("c1", Phase.ENDING);
    follow(StopAction.KILL);
    assertThat(killed).containsExactly("c2");
  }

  @Test
  void whatIsFrozenMayBeKilledLater() {
    follow(StopAction.FREEZE);
    follow(StopAction.KILL);
    assertThat(killed).containsExactly("c1", "c2");
    running.clear();
    follow(StopAction.KILL);
    assertThat(containers.frozen()).isEmpty();
  }

  private void follow(StopAction action) {
    containers.follow(order(action));
  }

  private static StopOrder order(StopAction action) {
    return new StopOrder(action, "alice", Instant.EPOCH, "");
  }

  private void failIfItShall() throws IOException {
    if (fails) {
      throw new IOException("no");
    }
  }
}
