/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.scheduler.LaunchVerdict.Reason;
import java.time.Duration;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class SnapshotLaunchPolicyTest {
  private static final long RESYNC_NANOS = 500;
  private static final long DELAY_NANOS = 70;

  private SnapshotLaunchPolicy policy = fresh();

  @Provide
  Arbitrary<Long> clockStarts() {
    return Step.clockStarts();
  }

  @Test
  void nothingStartsBeforeTheFirstReading() {
    assertThat(judge(1, 0)).isEqualTo(new LaunchVerdict(false, Reason.MEMORY_UNKNOWN, 1, 0));
  }

  @Test
  void whatIsHeldExactlyFitsAndOneByteMoreDoesNot() {
    read(100, 0);
    assertThat(judge(100, 0)).isEqualTo(new LaunchVerdict(true, Reason.FITS, 100, 100));
    assertThat(judge(101, 0)).isEqualTo(new LaunchVerdict(false, Reason.MEMORY, 101, 100));
  }

  @Property
  void launchesWaitFromTheKillUntilTheDelayHasPassed(@ForAll("clockStarts") long killNanos) {
    policy = fresh();
    read(100, killNanos - 1);
    assertThat(policy.delayedUntilNanos(killNanos)).isEqualTo(killNanos);

    policy.killed(killNanos);

    assertThat(judge(1, killNanos).reason()).isEqualTo(Reason.DELAYED_AFTER_KILL);
    assertThat(judge(1, killNanos + DELAY_NANOS - 1).reason()).isEqualTo(Reason.DELAYED_AFTER_KILL);
    assertThat(judge(1, killNanos + DELAY_NANOS).reason()).isEqualTo(Reason.FITS);
    assertThat(policy.delayedUntilNanos(killNanos)).isEqualTo(killNanos + DELAY_NANOS);
  }

  @Test
  void anotherKillStartsTheDelayAfresh() {
    read(100, 0);
    policy.killed(0);
    policy.killed(50);
    assertThat(judge(1, DELAY_NANOS).launch()).isFalse();
    assertThat(judge(1, 50 + DELAY_NANOS).launch()).isTrue();
  }

  @Test
  void delayOfZeroDelaysNothing() {
    SnapshotLaunchPolicy undelayed = new SnapshotLaunchPolicy(Duration.ofNanos(1), Duration.ZERO);
    undelayed.observed(new NodeMemory(100, 100), Map.of(), 0);
    undelayed.killed(0);
    assertThat(undelayed.judge(request(1), 1, 0).launch()).isTrue();
  }

  @Property
  void snapshotIsReadAfreshOncePerPeriodOnly(@ForAll("clockStarts") long readNanos) {
    policy = fresh();
    read(10, readNanos);
    read(15, readNanos + 1);
    read(20, readNanos + RESYNC_NANOS - 1);
    assertThat(policy.launchableBytes()).isEqualTo(10);
    read(30, readNanos + RESYNC_NANOS);
    assertThat(policy.launchableBytes()).isEqualTo(30);
    read(40, readNanos + 2 * RESYNC_NANOS - 1);
    assertThat(policy.launchableBytes()).isEqualTo(30);
  }

  @Test
  void unreadableMemoryStopsLaunchesUntilTheNextReadingHoweverSoon() {
    read(100, 0);
    policy.unobserved();
    assertThat(judge(1, 1)).isEqualTo(new LaunchVerdict(false, Reason.MEMORY_UNKNOWN, 1, 0));
    read(50, 2);
    assertThat(judge(50, 2).launch()).isTrue();
    assertThat(policy.launchableBytes()).isEqualTo(50);
  }

  @Test
  void judgingChargesNothing() {
    read(100, 0);
    judge(100, 0);
    assertThat(policy.launchableBytes()).isEqualTo(100);
  }

  @Test
  void withoutTheSnapshotEveryReadingCountsAndLaunchesAreForgotten() {
    SnapshotLaunchPolicy bare = SnapshotLaunchPolicy.withoutSnapshot(Duration.ofNanos(DELAY_NANOS));
    bare.observed(new NodeMemory(100, 100), Map.of(), 0);
    bare.launched("first", 80);
    assertThat(bare.judge(request(80), 80, 0).launch()).isTrue();
    bare.observed(new NodeMemory(100, 30), Map.of(), 1);
    assertThat(bare.launchableBytes()).isEqualTo(30);
    bare.ended("first");
    assertThat(bare.launchableBytes()).isEqualTo(30);
    bare.killed(2);
    assertThat(bare.judge(request(1), 1, 3).reason()).isEqualTo(Reason.DELAYED_AFTER_KILL);
  }

  @Test
  void periodsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new SnapshotLaunchPolicy(Duration.ZERO, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("resync must be positive")
        .hasMessageContaining("PT0S");
    assertThatThrownBy(() -> new SnapshotLaunchPolicy(Duration.ofNanos(1), Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("delay must not be negative");
  }

  private static SnapshotLaunchPolicy fresh() {
    return new SnapshotLaunchPolicy(Duration.ofNanos(RESYNC_NANOS), Duration.ofNanos(DELAY_NANOS));
  }

  private static LaunchRequest request(long bytes) {
    return new LaunchRequest(
        "c",
        ExecutionType.OPPORTUNISTIC,
        new JobKey("job"),
        new Owner("alice", "application_1"),
        bytes);
  }

  private LaunchVerdict judge(long bytes, long nowNanos) {
    return policy.judge(request(bytes), bytes, nowNanos);
  }

  private void read(long availableBytes, long nowNanos) {
    policy.observed(new NodeMemory(1000, availableBytes), Map.of(), nowNanos);
  }
}
