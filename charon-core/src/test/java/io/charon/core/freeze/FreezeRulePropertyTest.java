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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Properties of freeze before kill for any course of memory, wherever the clock starts. */
class FreezeRulePropertyTest {
  private static final long MIB = 1L << 20;
  private static final long SECOND = 1_000_000_000;
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final FreezeRule rule =
      new FreezeRule(new FreezeSettings(RegulatorMode.ENFORCE, 15, 20, LIMIT));

  @Property(tries = 500)
  void everyFrozenContainerGoesOnOrDiesInTimeAndNothingFlaps(
      @ForAll @Size(max = 300) List<@IntRange(min = 0, max = 40) Integer> leftPercent,
      @ForAll @IntRange(min = 0, max = 6) int containers,
      @ForAll long startNanos) {
    long step = SECOND / 4;
    List<String> running = new ArrayList<>();
    for (int i = 0; i < containers; i++) {
      running.add("c" + i);
    }
    Map<String, Frozen> frozen = new HashMap<>();
    Optional<Long> changed = Optional.empty();
    long now = startNanos;
    for (int percent : leftPercent) {
      now += step;
      Optional<FreezeDecision> decision =
          rule.decide(
              new FreezeRule.View(
                  now,
                  new NodeMemory(1000 * MIB, percent * 10L * MIB),
                  List.copyOf(running),
                  Map.copyOf(frozen),
                  changed));
      if (decision.isPresent()) {
        String target = decision.get().containerId();
        FreezeDecision.Kind kind = decision.get().kind();
        assertThat(running).contains(target);
        assertThat(frozen.containsKey(target)).isEqualTo(kind != FreezeDecision.Kind.FREEZE);
        if (kind == FreezeDecision.Kind.RECLAIM) {
          assertThat(frozen.get(target).reclaimAsked()).isFalse();
          frozen.put(target, frozen.get(target).asked());
        } else {
          if (changed.isPresent()) {
            assertThat(now - changed.get()).isGreaterThanOrEqualTo(SECOND);
          }
          changed = Optional.of(now);
        }
        if (percent >= 15 && percent < 20) {
          assertThat(kind).isEqualTo(FreezeDecision.Kind.KILL);
        }
        switch (kind) {
          case FREEZE -> frozen.put(target, Frozen.now(target, now));
          case THAW -> frozen.remove(target);
          case KILL -> {
            assertThat(percent).isLessThan(20);
            frozen.remove(target);
            running.remove(target);
          }
          case RECLAIM -> {}
        }
      }
      for (Frozen container : frozen.values()) {
        assertThat(now - container.sinceNanos())
            .isLessThan(LIMIT.toNanos() + containers * (SECOND + step));
      }
    }
  }
}
