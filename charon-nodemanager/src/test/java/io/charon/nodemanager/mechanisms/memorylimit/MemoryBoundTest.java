/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.Action;
import io.charon.core.law.Cause;
import io.charon.core.law.Decision;
import io.charon.core.law.NormalRange;
import io.charon.core.law.Observation;
import io.charon.nodemanager.execution.Effect;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MemoryBoundTest {
  private static final long MIB = 1 << 20;

  private final List<OptionalLong> bounds = new ArrayList<>();
  private final List<MemoryBound.Container> running = new ArrayList<>();
  private final List<String> killed = new ArrayList<>();
  private boolean killFails;
  private long nanos;
  private final MemoryBound bound =
      new MemoryBound(
          Optional.of(bounds::add),
          new MemoryBound.Containers() {
            @Override
            public List<MemoryBound.Container> oldestFirst() {
              return List.copyOf(running);
            }

            @Override
            public void kill(String containerId, String reason) throws IOException {
              if (killFails) {
                throw new IOException("no signal");
              }
              killed.add(containerId);
            }
          },
          () -> nanos);

  private static Decision limit(long mebibytes, boolean known) {
    NormalRange range = new NormalRange(1, 1, 1);
    return new Decision(
        Action.KEEP,
        mebibytes * MIB,
        Cause.INSIDE,
        new Observation(0, OptionalDouble.of(1), 1),
        Optional.empty(),
        known ? Optional.of(range) : Optional.empty());
  }

  private void run(String id, long mebibytes, boolean dying) {
    running.add(new MemoryBound.Container(id, mebibytes * MIB, dying));
  }

  @Test
  void launchesAreBoundedUntilItIsUndone() {
    assertThat(bound.apply(100.9 * MIB)).isEqualTo("best-effort may hold 100 MiB");
    bound.undo();
    assertThat(bounds).containsExactly(OptionalLong.of((long) (100.9 * MIB)), OptionalLong.empty());
  }

  @Test
  void theNewestGoUntilTheRestFits() {
    run("oldest", 40, false);
    run("older", 40, false);
    run("empty", 0, false);
    run("newest", 40, false);
    assertThat(bound.takeBack(limit(120, true))).isEmpty();
    List<Effect> effects = bound.takeBack(limit(79, true));
    assertThat(killed).containsExactly("newest", "older");
    assertThat(effects.get(0))
        .isEqualTo(
            new Effect(
                "kill",
                "newest",
                "applied: killed, it held 40 MiB",
                "memory regulator: best-effort holds 120 MiB, 79 MiB are left beside the"
                    + " foreground's reserve"));
    // They are still there, but dying; after three seconds they are tried again.
    assertThat(bound.takeBack(limit(79, true))).isEmpty();
    nanos += 3_000_000_000L;
    bound.takeBack(limit(79, true));
    assertThat(killed).containsExactly("newest", "older", "newest", "older");
  }

  @Test
  void thoseThatOthersKilledCountAsGone() {
    run("oldest", 40, false);
    run("newest", 40, true);
    assertThat(bound.takeBack(limit(50, true))).isEmpty();
    assertThat(killed).isEmpty();
  }

  @Test
  void nobodyDiesWhileNoReserveIsKnown() {
    run("oldest", 40, false);
    assertThat(bound.takeBack(limit(0, false))).isEmpty();
    assertThat(bound.takeBack(limit(0, true))).hasSize(1);
  }

  @Test
  void inOneTickOnlySoManyDie() {
    for (int i = 0; i < 20; i++) {
      run("c" + i, 10, false);
    }
    assertThat(bound.takeBack(limit(0, true))).hasSize(5);
    assertThat(bound.takeBack(limit(0, true))).hasSize(5);
  }

  @Test
  void aKillThatFailsIsSaid() {
    killFails = true;
    run("oldest", 40, false);
    assertThat(bound.takeBack(limit(0, true)).get(0).result()).isEqualTo("failed: no signal");
  }

  @Test
  void whereStockYarnDecidesItIsUnavailable() {
    MemoryBound stock =
        new MemoryBound(
            Optional.empty(),
            new MemoryBound.Containers() {
              @Override
              public List<MemoryBound.Container> oldestFirst() {
                return List.of();
              }

              @Override
              public void kill(String containerId, String reason) {
                throw new AssertionError();
              }
            },
            () -> 0);
    assertThat(stock.unavailable()).get().asString().contains("yarn.nodemanager.charon.mode");
    assertThat(bound.unavailable()).isEmpty();
  }
}
