/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.ProcessLimit.Bound;
import io.charon.core.law.ProcessLimit.Use;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.Snapshot;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProcessLimitTest {
  private static final long PID_MAX = 32_768;

  private final ProcessLimit limit = new ProcessLimit(0.1, Availability.available());

  private Action.SetLimit decide(long bestEffort, Bound... bounds) {
    List<Action> actions = limit.decide(new Snapshot(0, new Use(List.of(bounds), bestEffort)));
    assertThat(actions).hasSize(1);
    return (Action.SetLimit) actions.get(0);
  }

  private static Bound pidMax(long used) {
    return new Bound("kernel.pid_max", PID_MAX, used);
  }

  @Test
  void bestEffortMayHaveWhatOthersAndTheReserveLeave() {
    Action.SetLimit first = decide(100, pidMax(1_100));

    // 32,768 less a tenth of it and the 1,000 of others is 28,491; steps are 256.
    assertThat(first.amount()).isEqualTo(28_416);
    assertThat(first.change()).isEqualTo(Change.TIGHTEN);
    assertThat(first.basis().reason())
        .isEqualTo("kernel.pid_max is 32768, of which others have 1000 and 10 % stay free");
    assertThat(limit.report().value(MechanismReport.LIMIT)).hasValue(28_416);
    assertThat(limit.report().value(MechanismReport.VALUE)).hasValue(1_000);
    assertThat(limit.report().value(MechanismReport.BEST_EFFORT)).hasValue(100);
  }

  @Test
  void theTightestBoundCounts() {
    Bound unit = new Bound("pids.max of /sys/fs/cgroup/yarn.slice", 4_915, 700);

    Action.SetLimit decided = decide(500, pidMax(30_000), unit);
    assertThat(decided.basis().rule()).isEqualTo("kernel.pid_max");
    assertThat(decided.amount()).isEqualTo(0);

    decided = decide(500, pidMax(1_000), unit);
    assertThat(decided.basis().rule()).isEqualTo(unit.name());
    assertThat(decided.amount()).isEqualTo(4_192); // 4,915 - 492 - 200 in steps of 32
    assertThat(decided.change()).isEqualTo(Change.WIDEN);
  }

  @Test
  void itFallsAtOnceAndRisesOnlyByAWholeStepMore() {
    assertThat(decide(0, pidMax(1_000)).amount()).isEqualTo(28_416);
    assertThat(decide(0, pidMax(1_200)).amount()).isEqualTo(28_160);
    for (int others : new int[] {1_000, 1_200, 1_060, 1_320}) {
      Action.SetLimit kept = decide(0, pidMax(others));
      assertThat(kept.amount()).as("%d others", others).isEqualTo(28_160);
      assertThat(kept.change()).isEqualTo(Change.KEEP);
    }
    assertThat(decide(0, pidMax(800)).amount()).isEqualTo(28_672);
  }

  /** Whatever best-effort has, also if its number is counted later than that of all. */
  @Test
  void theReserveIsFreeBeforeOthersGrow() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      long bound = 1L + random.nextInt(100_000);
      long used = random.nextInt((int) bound + 1);
      long bestEffort = random.nextInt((int) bound + 1);
      double amount = decide(bestEffort, new Bound("b", bound, used)).amount();
      long others = Math.max(0, used - bestEffort);
      assertThat(amount).isNotNegative();
      assertThat(amount == 0 || amount + (double) others <= 0.9 * (double) bound)
          .as("%s of %s, others have %s", amount, bound, others)
          .isTrue();
    }
  }
}
