/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.core.mechanism.WorkingSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryReserveTest {
  private static final long MIB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;

  private final MemoryReserve reserve =
      new MemoryReserve(new RangeSettings(Duration.ofSeconds(5), 2));
  private final List<BestEffortTasks.Task> running = new ArrayList<>();
  private long nanos;

  private void run(String id, long mebibytes, boolean dying) {
    running.add(new BestEffortTasks.Task(id, mebibytes * MIB, dying));
  }

  /** Decides after a second in which the given part of 1000 MiB is left beside the foreground. */
  private List<Action.Kill> second(long leftMebibytes) {
    nanos += SECOND;
    Measurement missing = Measurement.missing("not asked for");
    return reserve
        .decide(
            new Snapshot(
                nanos,
                new BestEffortTasks(running),
                new NodeReading(
                    nanos,
                    "the node minus best-effort",
                    new ResourceUse(
                        Measurement.ofBytes((1000 - leftMebibytes) * MIB),
                        Measurement.ofBytes(0),
                        Measurement.ofBytes(1000 * MIB)),
                    ResourceUse.missing("not asked for"),
                    CoreUse.missing("not asked for"),
                    ResourceUse.missing("not asked for"),
                    new NodeReading.Health(missing, missing, missing),
                    missing)))
        .stream()
        .filter(Action.Kill.class::isInstance)
        .map(Action.Kill.class::cast)
        .toList();
  }

  private void learn(long leftMebibytes) {
    for (int second = 0; second < 6; second++) {
      second(leftMebibytes);
    }
  }

  private static List<String> ids(List<Action.Kill> kills) {
    return kills.stream().map(Action.Kill::target).toList();
  }

  @Test
  void theNewestGoUntilTheRestFits() {
    learn(120);
    run("oldest", 40, false);
    run("older", 40, false);
    run("empty", 0, false);
    run("newest", 40, false);
    assertThat(second(120)).isEmpty();
    List<Action.Kill> kills = second(79);
    assertThat(ids(kills)).containsExactly("newest", "older");
    assertThat(kills.get(0).basis().reason())
        .isEqualTo(
            "memory regulator: best-effort holds 120 MiB, the foreground's reserve leaves"
                + " 79 MiB; this container holds 40 MiB");
    assertThat(kills.get(0).basis().limit()).isEqualTo(79.0 * MIB);
  }

  @Test
  void filesThatOutliveTheNewestDoNotCountAsTakenBack() {
    learn(120);
    run("oldest", 40, false);
    WorkingSet held = new WorkingSet(80 * MIB, 75 * MIB, 70 * MIB);
    running.add(new BestEffortTasks.Task("newest", held, false, 0, 1, true));
    assertThat(second(120)).isEmpty();
    assertThat(ids(second(110))).containsExactly("newest");
    assertThat(ids(second(100))).containsExactly("newest", "oldest");
  }

  @Test
  void thoseThatOthersKilledCountAsGone() {
    learn(120);
    run("oldest", 40, false);
    run("newest", 40, true);
    assertThat(second(50)).isEmpty();
  }

  @Test
  void noContainerIsKilledWhileTheReserveIsUnknown() {
    run("oldest", 40, false);
    assertThat(second(0)).isEmpty();
    assertThat(second(0)).isEmpty();
    running.clear();
    learn(120);
    run("oldest", 40, false);
    assertThat(second(0)).hasSize(1);
  }

  @Test
  void atOneDecisionOnlySoManyDie() {
    learn(120);
    for (int i = 0; i < 20; i++) {
      run("c" + i, 10, false);
    }
    assertThat(second(0)).hasSize(5);
    assertThat(second(0)).hasSize(5);
  }
}
