/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.freeze;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.RegulatorMode;
import io.charon.core.scheduler.NodeMemory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FreezeRuleTest {
  private static final long MIB = 1L << 20;
  private static final long SECOND = 1_000_000_000;
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final List<String> OLDEST_FIRST = List.of("c1", "c2", "c3");

  private final FreezeRule rule =
      new FreezeRule(new FreezeSettings(RegulatorMode.ENFORCE, 15, 20, LIMIT));

  private Optional<FreezeDecision> decide(long nowNanos, long leftMib, Frozen... frozen) {
    return decide(nowNanos, leftMib, Optional.empty(), frozen);
  }

  private Optional<FreezeDecision> decide(
      long nowNanos, long leftMib, Optional<Long> changed, Frozen... frozen) {
    Map<String, Frozen> byId = new HashMap<>();
    for (Frozen container : frozen) {
      byId.put(container.containerId(), container);
    }
    return rule.decide(
        new FreezeRule.View(
            nowNanos, new NodeMemory(1000 * MIB, leftMib * MIB), OLDEST_FIRST, byId, changed));
  }

  private static Frozen frozen(String containerId, long sinceNanos) {
    return new Frozen(containerId, sinceNanos, true, 0);
  }

  @Test
  void theNewestIsFrozenBelowTheThresholdAndNotAtIt() {
    assertThat(decide(0, 150)).isEmpty();
    assertThat(decide(0, 149))
        .contains(
            new FreezeDecision(
                FreezeDecision.Kind.FREEZE,
                "c3",
                0,
                "149 MiB of 1000 MiB left, frozen below 150 MiB"));
  }

  @Test
  void theNextNewestFollowsOnceTheFirstCouldShowAndMemoryIsStillShort() {
    Frozen c3 = frozen("c3", 0);
    assertThat(decide(SECOND - 1, 100, Optional.of(0L), c3)).isEmpty();
    assertThat(decide(SECOND, 100, Optional.of(0L), c3))
        .map(FreezeDecision::containerId)
        .contains("c2");
    assertThat(decide(SECOND, 150, Optional.of(0L), c3)).isEmpty();
  }

  @Test
  void itsMemoryIsAskedBackOnceAndAtOnce() {
    assertThat(decide(1, 140, Optional.of(0L), Frozen.now("c3", 0)))
        .contains(
            new FreezeDecision(
                FreezeDecision.Kind.RECLAIM,
                "c3",
                60 * MIB,
                "140 MiB of 1000 MiB left, 60 MiB too few"));
    assertThat(decide(1, 140, Optional.of(0L), Frozen.now("c3", 0).asked())).isEmpty();
  }

  @Test
  void theOldestGoesOnFirst() {
    assertThat(decide(SECOND, 199, frozen("c2", 0), frozen("c3", 0))).isEmpty();
    assertThat(decide(SECOND, 200, frozen("c2", 0), frozen("c3", 0)))
        .contains(
            new FreezeDecision(
                FreezeDecision.Kind.THAW,
                "c2",
                0,
                "200 MiB of 1000 MiB left, thawed at 200 MiB or more"));
  }

  @Test
  void whatWasReclaimedFromItIsNotThereForIt() {
    Frozen c2 = Frozen.now("c2", 0).reclaimed(100 * MIB);
    assertThat(decide(SECOND, 299, c2)).isEmpty();
    assertThat(decide(SECOND, 300, c2)).map(FreezeDecision::containerId).contains("c2");
    assertThat(decide(SECOND, 299, c2, frozen("c3", 0)))
        .map(FreezeDecision::containerId)
        .contains("c3");
  }

  @Test
  void containersFrozenForTooLongAreKilledTheLongestFirstUnlessMemoryIsBack() {
    long end = LIMIT.toNanos();
    Frozen c2 = frozen("c2", SECOND);
    Frozen c3 = frozen("c3", 0);
    assertThat(decide(end - 1, 199, c2, c3)).isEmpty();
    assertThat(decide(end + 2 * SECOND, 199, c2, c3))
        .contains(
            new FreezeDecision(
                FreezeDecision.Kind.KILL,
                "c3",
                0,
                "frozen for 12000 ms, limit 10000 ms; 199 MiB of 1000 MiB left, thawed at 200 MiB"
                    + " or more"));
    assertThat(decide(end + 2 * SECOND, 200, c2, c3))
        .map(FreezeDecision::kind)
        .contains(FreezeDecision.Kind.THAW);
  }
}
