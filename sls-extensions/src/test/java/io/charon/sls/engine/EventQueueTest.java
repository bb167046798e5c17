/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private record Planned(int number, long at, EventPhase phase) {}

  /**
   * Events run by time, then phase, then the order of scheduling, in whatever order they were
   * scheduled.
   */
  @Property(tries = 200)
  void eventsRunInTheirTotalOrder(
      @ForAll @Size(max = 60) List<@IntRange(max = 5) Integer> times,
      @ForAll @Size(min = 60, max = 60) List<EventPhase> phases) {
    EventQueue queue = new EventQueue();
    List<Planned> planned = new ArrayList<>();
    List<Planned> ran = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      Planned event = new Planned(i, times.get(i), phases.get(i));
      planned.add(event);
      queue.schedule(
          event.at(),
          event.phase(),
          () -> {
            assertThat(queue.nowNanos()).isEqualTo(event.at());
            ran.add(event);
          });
    }
    while (queue.runNext(Long.MAX_VALUE)) {
      assertThat(ran).isNotEmpty();
    }
    planned.sort(
        Comparator.comparingLong(Planned::at)
            .thenComparing(Planned::phase)
            .thenComparingInt(Planned::number));
    assertThat(ran).isEqualTo(planned);
    assertThat(queue.executed()).isEqualTo(planned.size());
  }

  /**
   * An event that is scheduled for the present instant runs at that instant, and time never
   * decreases.
   */
  @Property(tries = 100)
  void timeNeverGoesBack(@ForAll @Size(max = 30) List<@IntRange(max = 9) Integer> delays) {
    EventQueue queue = new EventQueue();
    List<Long> seen = new ArrayList<>();
    for (int delay : delays) {
      queue.schedule(
          delay,
          EventPhase.DECIDE,
          () -> {
            seen.add(queue.nowNanos());
            queue.schedule(
                queue.nowNanos() + delay, EventPhase.WORLD, () -> seen.add(queue.nowNanos()));
          });
    }
    while (queue.runNext(Long.MAX_VALUE)) {}
    assertThat(seen).hasSize(2 * delays.size()).isSorted();
  }

  @Test
  void whatIsCalledOffDoesNotHappen() {
    EventQueue queue = new EventQueue();
    List<String> ran = new ArrayList<>();
    ScheduledEvent never = queue.schedule(1, EventPhase.WORLD, () -> ran.add("never"));
    queue.schedule(2, EventPhase.WORLD, () -> ran.add("second"));
    queue.cancel(never);
    assertThat(queue.runNext(10)).isTrue();
    assertThat(ran).containsExactly("second");
    assertThat(queue.runNext(10)).isFalse();
  }

  @Test
  void timeStopsAtTheHorizonAndEventsBehindItStay() {
    EventQueue queue = new EventQueue();
    ScheduledEvent later = queue.schedule(100, EventPhase.WORLD, () -> {});
    assertThat(queue.runNext(60)).isFalse();
    assertThat(queue.nowNanos()).isEqualTo(60);
    assertThat(later.isPending()).isTrue();
    assertThatThrownBy(() -> queue.schedule(59, EventPhase.WORLD, () -> {}))
        .hasMessageContaining("59 ns cannot be scheduled");
  }

  @Test
  void eventsThatWereCalledOffDoNotPileUp() {
    EventQueue queue = new EventQueue();
    List<Integer> ran = new ArrayList<>();
    queue.schedule(1_000_000, EventPhase.WORLD, () -> ran.add(-1));
    for (int i = 0; i < 100_000; i++) {
      int number = i;
      ScheduledEvent event = queue.schedule(500_000 + i, EventPhase.WORLD, () -> ran.add(number));
      if (i % 1000 != 0) {
        queue.cancel(event);
        queue.cancel(event);
      }
    }
    assertThat(queue.held()).isLessThan(3000);
    while (queue.runNext(Long.MAX_VALUE)) {
      assertThat(queue.held()).isNotNegative();
    }
    assertThat(ran).hasSize(101).endsWith(98_000, 99_000, -1);
    assertThat(queue.held()).isZero();
  }
}
