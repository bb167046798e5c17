/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.stop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StopOrderTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final StopKeys KEYS =
      new StopKeys("a.stop.action", "a.stop.by", "a.stop.since", "a.stop.reason");

  @Test
  void whatIsWrittenIsRead() {
    for (StopAction action : StopAction.values()) {
      StopOrder order = new StopOrder(action, "alice", NOON, "disk: failing = soon");
      assertThat(StopOrder.read(order.values(KEYS), KEYS)).isEqualTo(order);
      assertThat(order.stops()).isEqualTo(action != StopAction.NONE);
    }
  }

  @Test
  void whereNothingIsSaidNothingStops() {
    assertThat(StopOrder.read(Map.of("b.stop.action", "kill"), KEYS)).isEqualTo(StopOrder.never());
    assertThat(StopOrder.read(Map.of("a.stop.since", "never"), KEYS)).isEqualTo(StopOrder.never());
  }

  @Test
  void whatCannotBeUnderstoodIsNamedWithWhatCan() {
    assertThatThrownBy(() -> StopOrder.read(Map.of("a.stop.action", "halt"), KEYS))
        .hasMessage("a.stop.action is 'halt'; it must be one of none, leave, freeze, kill");
    assertThatThrownBy(() -> StopOrder.read(Map.of("a.stop.since", "noon"), KEYS))
        .hasMessageContaining("a.stop.since is 'noon'; it must be a time");
  }

  @Test
  void theHarsherOfTwoCountsAndOfEqualsTheNewer() {
    StopOrder leave = new StopOrder(StopAction.LEAVE, "alice", NOON, "");
    StopOrder kill = new StopOrder(StopAction.KILL, "bob", NOON.minusSeconds(60), "");
    StopOrder resumed = new StopOrder(StopAction.NONE, "bob", NOON.plusSeconds(60), "");
    StopOrder later = new StopOrder(StopAction.LEAVE, "carol", NOON.plusSeconds(1), "");
    assertThat(leave.harsher(kill)).isEqualTo(kill);
    assertThat(kill.harsher(leave)).isEqualTo(kill);
    assertThat(leave.harsher(resumed)).as("another's word does not resume").isEqualTo(leave);
    assertThat(leave.harsher(later)).isEqualTo(later);
    assertThat(later.harsher(leave)).isEqualTo(later);
    assertThat(StopOrder.never().harsher(resumed)).isEqualTo(resumed);
  }

  @Test
  void textsOfAnyOriginAreOneLineOfBoundedLength() {
    StopOrder order = new StopOrder(StopAction.LEAVE, "a\nb", NOON, "x\u001b[2J".repeat(100));
    assertThat(order.by()).isEqualTo("a b");
    assertThat(order.reason()).hasSizeLessThanOrEqualTo(StopOrder.LONGEST_REASON);
    assertThat(order.reason().chars()).noneMatch(Character::isISOControl);
  }
}
