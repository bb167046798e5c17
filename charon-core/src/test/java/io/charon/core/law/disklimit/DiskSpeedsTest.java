/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.disklimit.DiskSpeeds.DiskCounters;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiskSpeedsTest {
  private static final long MB = 1_000_000;
  private static final long SECOND = 1_000_000_000L;

  private final DiskSpeeds speeds = new DiskSpeeds();
  private long nanos;
  private long read;
  private long busy;

  private Disk second(long readBytes, long busyMillis) {
    nanos += SECOND;
    read += readBytes;
    busy += busyMillis;
    return read();
  }

  private Disk read() {
    return speeds.sample(nanos, List.of(new DiskCounters("8:0", "sda", read, busy))).get(0);
  }

  @Test
  void aDiskThatWasNeverBusyHasNoSpeed() {
    assertThat(read().speedBytesPerSecond()).isEmpty();
    Disk slow = second(300 * MB, 499);
    assertThat(slow.speedBytesPerSecond()).isEmpty();
    assertThat(slow.busy()).isFalse();
    assertThat(second(0, 1000).speedBytesPerSecond()).as("it wrote").isEmpty();
  }

  @Test
  void theHighestRateOfTenMinutesCounts() {
    read();
    assertThat(second(100 * MB, 1000).speedBytesPerSecond()).hasValue(100 * MB);
    assertThat(second(150 * MB, 500).busy()).isTrue();
    assertThat(second(20 * MB, 1000).speedBytesPerSecond()).hasValue(150 * MB);
    nanos += 600 * SECOND;
    assertThat(read().speedBytesPerSecond()).hasValue(20 * MB);
    nanos += SECOND;
    assertThat(read().speedBytesPerSecond()).isEmpty();
  }

  @Test
  void countersThatFallOrStandStillAndClocksThatJumpSayNothing() {
    read();
    second(100 * MB, 1000);
    read = 0;
    busy = 0;
    assertThat(second(900 * MB, 10).busy()).isFalse();
    read += 900 * MB;
    busy += 1000;
    nanos += SECOND / 10;
    assertThat(read().speedBytesPerSecond()).as("too soon").hasValue(100 * MB);
    nanos -= 3600 * SECOND;
    assertThat(read().busy()).isFalse();
    assertThat(second(200 * MB, 1000).speedBytesPerSecond()).hasValue(200 * MB);
  }

  @Test
  void aDiskThatTookThePlaceOfAnotherOneIsANewOne() {
    read();
    second(100 * MB, 1000);
    nanos += SECOND;
    List<Disk> others = speeds.sample(nanos, List.of(new DiskCounters("8:0", "sdb", read, busy)));
    assertThat(others.get(0).speedBytesPerSecond()).isEmpty();
    assertThat(speeds.sample(nanos, List.of())).isEmpty();
    nanos += SECOND;
    assertThat(read().speedBytesPerSecond()).isEmpty();
  }

  @Test
  void eachDiskHasItsOwnSpeed() {
    speeds.sample(
        0, List.of(new DiskCounters("8:0", "sda", 0, 0), new DiskCounters("8:16", "sdb", 0, 0)));
    List<Disk> disks =
        speeds.sample(
            SECOND,
            List.of(
                new DiskCounters("8:0", "sda", 10 * MB, 1000),
                new DiskCounters("8:16", "sdb", 90 * MB, 1000)));
    assertThat(disks)
        .extracting(disk -> disk.speedBytesPerSecond().orElse(0))
        .containsExactly(10 * MB, 90 * MB);
  }
}
