/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.PoolUse;
import io.charon.core.mechanism.PoolUse.Member;
import io.charon.core.mechanism.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CpuPoolTest {
  private static final int CORES = 8;
  private static final long ROUND_NANOS = 5_000_000_000L;

  private final CpuPool mechanism = new CpuPool(OptionalDouble.of(0.45), Availability.available());
  private long nanos;

  /** Returns a member that shares the pool, with an original quota of 2 cores. */
  private static Member member(String id, double quota, double usedSeconds, long throttled) {
    return new Member(id, false, 2, OptionalDouble.of(quota), true, usedSeconds, throttled);
  }

  private List<Action.SetQuota> round(Member... members) {
    nanos += ROUND_NANOS;
    return mechanism
        .decide(new Snapshot(nanos, new PoolUse(CORES, 1, Arrays.asList(members))))
        .stream()
        .map(Action.SetQuota.class::cast)
        .toList();
  }

  @Test
  void aContainerWithoutAQuotaGetsItsVcores() {
    Action.SetQuota wanted =
        round(new Member("c", false, 2, OptionalDouble.empty(), false, 100, 0)).get(0);
    assertThat(wanted.target()).isEqualTo("c");
    assertThat(wanted.verb()).isEqualTo("give");
    assertThat(wanted.cores()).hasValue(2);
    assertThat(wanted.basis().reason())
        .isEqualTo("it is a member of the pool: its quota is its 2.00 vcores");
  }

  @Test
  void whatHappenedBeforeTheFirstRoundCountsForNothing() {
    assertThat(round(member("c", 2, 1000, 99))).isEmpty();
    assertThat(round(member("c", 2, 1001, 99))).as("not throttled since").isEmpty();
  }

  @Test
  void aContainerThrottledInTheLastRoundGetsMore() {
    assertThat(round(member("c", 2, 0, 0), member("quiet", 2, 0, 0))).isEmpty();
    List<Action.SetQuota> wanted = round(member("c", 2, 5, 3), member("quiet", 2, 1, 0));
    assertThat(wanted).hasSize(1);
    assertThat(wanted.get(0).verb()).isEqualTo("raise");
    assertThat(wanted.get(0).cores()).hasValue(2.4);
    assertThat(wanted.get(0).basis().limit()).isEqualTo(2.4);
    assertThat(wanted.get(0).basis().reason())
        .isEqualTo("it was throttled at 2.00 cores; the pool uses 1.20 of 8 cores, threshold 45 %");
    assertThat(mechanism.report().value(MechanismReport.VALUE)).hasValue(1.2);
    assertThat(mechanism.report().value(MechanismReport.CAPACITY)).hasValue(CORES);
  }

  @Test
  void aPoolAboveItsLineHalvesEveryRaisedQuota() {
    assertThat(round(member("a", 6, 0, 0), member("b", 2.4, 0, 0), member("c", 2, 0, 0))).isEmpty();
    List<Action.SetQuota> wanted =
        round(member("a", 6, 1, 0), member("b", 2.4, 9, 5), member("c", 2, 9, 5));
    assertThat(wanted).extracting(Action.SetQuota::verb).containsOnly("halve");
    assertThat(wanted)
        .extracting(action -> action.target() + " " + action.cores().getAsDouble())
        .containsExactly("a 3.0", "b 2.0");
    assertThat(wanted.get(0).basis().reason())
        .isEqualTo("the pool uses 3.80 of 8 cores, threshold 45 %: the pool is full");
    assertThat(mechanism.report().detail().orElseThrow())
        .isEqualTo(
            "3 containers share the pool, 2 with a raised quota; 0 have processors of their own");
  }

  @Test
  void onlyAContainerAboveItsShareIsHalved() {
    assertThat(round(member("a", 4, 0, 0), member("b", 4, 0, 0))).isEmpty();
    List<Action.SetQuota> wanted = round(member("a", 4, 10.5, 5), member("b", 4, 1, 0));
    assertThat(wanted).hasSize(1);
    assertThat(wanted.get(0).basis().reason())
        .startsWith("it used 2.10 cores, more than its own 2.00 vcores;");
  }

  /** Its use does not count for the pool, and its original quota is restored. */
  @Test
  void aPinnedContainerIsNotInThePool() {
    Member pinned = new Member("p", true, 2, OptionalDouble.of(2.4), true, 0, 0);
    Member foreign = new Member("f", true, 2, OptionalDouble.of(2.4), false, 0, 0);
    assertThat(round(member("c", 6, 0, 0), pinned, foreign))
        .extracting(action -> action.verb() + " " + action.target() + " " + action.cores())
        .containsExactly("restore p " + OptionalDouble.empty());
    Member busy = new Member("p", true, 2, OptionalDouble.empty(), false, 40, 0);
    assertThat(round(member("c", 6, 1, 0), busy)).isEmpty();
    assertThat(mechanism.report().value(MechanismReport.VALUE)).hasValue(0.2);
  }

  @Test
  void anotherContainerOfTheSameNameBeginsAnew() {
    assertThat(round(member("c", 2, 50, 7))).isEmpty();
    assertThat(round(member("c", 2, 1, 8))).as("less CPU time than before").isEmpty();
    assertThat(round()).isEmpty();
    assertThat(round(member("c", 2, 2, 9))).as("it was away for a round").isEmpty();
  }

  @Test
  void theLineGoesByWhetherThreadsShareCores() {
    CpuPool byMachine = new CpuPool(OptionalDouble.empty(), Availability.available());
    assertThat(byMachine.report().cause()).isEmpty();
    assertThat(byMachine.decide(new Snapshot(0, new PoolUse(CORES, 2, List.of())))).isEmpty();
    assertThat(byMachine.report().cause().orElseThrow()).contains("at most 45 %");
    assertThat(byMachine.decide(new Snapshot(1, new PoolUse(CORES, 1, List.of())))).isEmpty();
    assertThat(byMachine.report().cause().orElseThrow()).contains("at most 65 %");
  }
}
