/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.FakeYarn;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.config.TestSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ContainerScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests YARN's scheduler while the mode of its node changes. */
@Tag("hadoop")
class ModeChangeTest {
  private static final int QUEUE_LIMIT = 4;
  private static final long MIB = 1 << 20;
  private static final List<String> MODES = List.of("off", "observe", "enforce", "threshold");

  @TempDir Path proc;
  private StockYarn yarn;
  private CharonNode node;

  @BeforeEach
  void observe() throws Exception {
    bringUp(new StockYarn(QUEUE_LIMIT));
  }

  private void bringUp(StockYarn scheduler) throws Exception {
    yarn = scheduler;
    node =
        new CharonNode(
            TestSettings.of(keys("observe")), Surroundings.ofThisMachine(proc), new FakeYarn());
    YarnAdmission admission = new YarnAdmission(node, yarn.scheduler(), yarn.dispatcher());
    admission.queue().recovered(Set.of());
  }

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void anObservingNodeSchedulesByReservation() {
    Container first = opportunistic(1);
    yarn.schedule(first);
    yarn.schedule(opportunistic(2));

    assertThat(yarn.launches()).isEqualTo(ids(1));
    assertThat(yarn.scheduler().getCurrentUtilization().getPhysicalMemory())
        .isEqualTo(StockYarn.NODE_MB);
    yarn.complete(first);
    assertThat(yarn.launches()).isEqualTo(ids(1, 2));
  }

  @Test
  void runningContainersAreChargedAndWaitingOnesStartByMemory() {
    yarn.schedule(opportunistic(1));
    yarn.schedule(opportunistic(2));
    yarn.schedule(opportunistic(3));

    become("enforce");
    assertThat(node.gate().orElseThrow().runningOldestFirst()).isEqualTo(ids(1));
    assertThat(yarn.launches()).as("memory is not known yet").isEqualTo(ids(1));

    free(10);
    assertThat(yarn.launches()).isEqualTo(ids(1, 2, 3));
  }

  @Test
  void nothingStartsByWhatWasReadUnderAnotherMode() {
    become("enforce");
    free(10);
    become("observe");
    become("enforce");

    yarn.schedule(opportunistic(1));
    assertThat(yarn.launches()).isEmpty();
    free(10);
    assertThat(yarn.launches()).isEqualTo(ids(1));
  }

  @Test
  void backInYarnsHandsWhatRunsIsReservedAndTheQueueWaitsForIt() {
    become("enforce");
    free(10);
    Container first = opportunistic(1);
    Container second = opportunistic(2);
    yarn.schedule(first);
    yarn.schedule(second);
    assertThat(yarn.launches()).as("twice what YARN would start").isEqualTo(ids(1, 2));

    become("off");
    yarn.schedule(opportunistic(3));
    assertThat(yarn.launches()).isEqualTo(ids(1, 2));
    yarn.complete(first);
    assertThat(yarn.launches()).as("the other one holds the node").isEqualTo(ids(1, 2));
    yarn.complete(second);
    assertThat(yarn.launches()).isEqualTo(ids(1, 2, 3));
    assertThat(yarn.kills()).isEmpty();
  }

  @Test
  void aContainerThatWaitsForMemoryThenWaitsForAReservation() {
    become("enforce");
    free(0);
    yarn.schedule(opportunistic(1));
    assertThat(yarn.launches()).isEmpty();

    become("observe");
    assertThat(yarn.launches()).isEqualTo(ids(1));
  }

  /** Whatever happens meanwhile, each container starts once, or YARN reports a full queue. */
  @ParameterizedTest
  @Tag("must-never")
  @ValueSource(booleans = {false, true})
  @Tag("long")
  void noContainerIsLostOrStartedTwiceWhileTheModeChanges(boolean charonNodeManager)
      throws Exception {
    for (int seed = 0; seed < 25; seed++) {
      node.close();
      bringUp(
          charonNodeManager
              ? new StockYarn(QUEUE_LIMIT, CharonContainerScheduler::new)
              : new StockYarn(QUEUE_LIMIT, ContainerScheduler::new));
      changeAtRandom(new Random(seed));
    }
  }

  private void changeAtRandom(Random random) {
    List<Container> alive = new ArrayList<>();
    int containers = 0;
    for (int step = 0; step < 120; step++) {
      switch (random.nextInt(6)) {
        case 0 -> become(MODES.get(random.nextInt(MODES.size())));
        case 1, 2 -> {
          Container arrives = opportunistic(++containers);
          alive.add(arrives);
          yarn.schedule(arrives);
        }
        case 3 -> free(random.nextInt(4));
        default -> endOne(alive, random);
      }
      assertEachIsSomewhere(containers);
    }
    for (int turn = 0; turn < 2 * containers; turn++) {
      free(10);
      endOne(alive, random);
    }
    assertThat(yarn.scheduler().getNumQueuedContainers()).isZero();
    assertThat(yarn.launches().size() + yarn.kills().size()).isEqualTo(containers);
  }

  private void endOne(List<Container> alive, Random random) {
    alive.removeIf(container -> yarn.kills().containsKey(container.getContainerId().toString()));
    List<Container> running =
        alive.stream()
            .filter(container -> yarn.launches().contains(container.getContainerId().toString()))
            .toList();
    if (!running.isEmpty()) {
      Container ends = running.get(random.nextInt(running.size()));
      alive.remove(ends);
      yarn.complete(ends);
    }
  }

  private void assertEachIsSomewhere(int containers) {
    Set<String> launched = new HashSet<>(yarn.launches());
    assertThat(launched).as("started once").hasSameSizeAs(yarn.launches());
    assertThat(launched).as("and not killed").noneMatch(yarn.kills()::containsKey);
    assertThat(
            launched.size()
                + yarn.kills().size()
                + yarn.scheduler().getNumQueuedOpportunisticContainers())
        .isEqualTo(containers);
  }

  private void become(String mode) {
    node.change(TestSettings.of(keys(mode)));
  }

  /** Sets a reading in multiples of the node's size; the gate gets it if Charon decides. */
  private void free(int nodes) {
    long bytes = MIB * nodes * StockYarn.NODE_MB;
    node.gate()
        .ifPresent(
            gate -> {
              gate.unobserved(); // or a snapshot up to 100 ms old would hold
              if (gate.observed(new NodeMemory(100 * bytes + 1, bytes), Map.of())) {
                new StockScheduler(yarn.scheduler(), yarn.dispatcher()).processQueue();
              }
            });
  }

  private Container opportunistic(int number) {
    return yarn.opportunistic(number, StockYarn.NODE_MB);
  }

  private static List<String> ids(int... numbers) {
    List<String> ids = new ArrayList<>();
    for (int number : numbers) {
      ids.add(StockYarn.id(number).toString());
    }
    return ids;
  }

  private static String[] keys(String mode) {
    return new String[] {
      "cgroup.enabled",
      "false",
      "scheduler.estimate",
      "peak",
      "scheduler.resync-ms",
      "100",
      "killer.threshold-percent",
      "0",
      "scheduler.launch-backoff-ms",
      "0",
      "mode",
      mode
    };
  }
}
