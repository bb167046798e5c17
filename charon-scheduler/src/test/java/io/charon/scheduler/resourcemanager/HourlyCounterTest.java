/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HourlyCounterTest {
  private final AtomicLong nanos = new AtomicLong(-Duration.ofSeconds(90).toNanos());
  private final LongSupplier clock = nanos::get;

  @Test
  void whatHappenedIsCountedForAnHour() {
    HourlyCounter hour = new HourlyCounter(clock.getAsLong());
    hour.add(clock.getAsLong());
    hour.add(clock.getAsLong());
    nanos.addAndGet(Duration.ofMinutes(59).toNanos());
    assertThat(hour.sum(clock.getAsLong())).isEqualTo(2);
    hour.add(clock.getAsLong());
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(hour.sum(clock.getAsLong())).isEqualTo(1);
  }

  @Test
  void aLongPauseForgetsAll() {
    HourlyCounter hour = new HourlyCounter(clock.getAsLong());
    hour.add(clock.getAsLong());
    nanos.addAndGet(Duration.ofDays(1000).toNanos());
    assertThat(hour.sum(clock.getAsLong())).isZero();
  }

  /** Compares the counter with a list of all times. */
  @Property
  void countsWhatAListOfTheirMinutesCounts(
      @ForAll @Size(max = 200) int[] seeds, @ForAll @IntRange(min = 1, max = 900) int mostSeconds) {
    long now = 0;
    HourlyCounter hour = new HourlyCounter(now);
    List<Long> minutes = new ArrayList<>();
    for (int seed : seeds) {
      now += Duration.ofSeconds(Math.floorMod(seed, mostSeconds)).toNanos();
      hour.add(now);
      minutes.add(Duration.ofNanos(now).toMinutes());
      long newest = Duration.ofNanos(now).toMinutes();
      assertThat((long) hour.sum(now))
          .isEqualTo(minutes.stream().filter(minute -> minute > newest - 60).count());
    }
  }
}
