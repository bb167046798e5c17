/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.scheduler.LaunchVerdict.Reason;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ThresholdLaunchPolicyTest {
  private final ThresholdLaunchPolicy policy = new ThresholdLaunchPolicy(10);

  @Provide
  Arbitrary<List<Step>> steps() {
    return Step.sequences();
  }

  @Test
  void nothingStartsBeforeTheFirstReadingOrWhileThereIsNone() {
    assertThat(judge(1)).isEqualTo(new LaunchVerdict(false, Reason.MEMORY_UNKNOWN, 1, 0));
    read(1000);
    assertThat(judge(1).launch()).isTrue();
    policy.unobserved();
    assertThat(judge(1)).isEqualTo(new LaunchVerdict(false, Reason.MEMORY_UNKNOWN, 1, 0));
  }

  @Test
  void moreThanTheThresholdMustStayAvailable() {
    read(500);
    assertThat(judge(399)).isEqualTo(new LaunchVerdict(true, Reason.FITS, 399, 400));
    assertThat(judge(400)).isEqualTo(new LaunchVerdict(false, Reason.MEMORY, 400, 400));
  }

  @Test
  void requestCountsAndNotTheProfile() {
    read(500);
    LaunchRequest request = request(300);
    assertThat(policy.judge(request, 450, 0).launch()).isTrue();
    assertThat(policy.judge(request(450), 300, 0).launch()).isFalse();
    assertThat(policy.neededAlone(request(450), 300)).isEqualTo(450);
  }

  @Test
  void oneStartsForEachReading() {
    read(1000);
    policy.launched("first", 1);
    assertThat(judge(1).reason()).isEqualTo(Reason.ONE_AT_A_TIME);
    policy.ended("first");
    assertThat(judge(1).reason()).isEqualTo(Reason.ONE_AT_A_TIME);
    read(1000);
    assertThat(judge(1).reason()).isEqualTo(Reason.FITS);
  }

  @Test
  void killDelaysNothing() {
    read(1000);
    policy.killed(5);
    assertThat(judge(1).launch()).isTrue();
    assertThat(policy.delayedUntilNanos(5)).isEqualTo(5);
  }

  /** A threshold of 10 % of the 200 bytes of the steps' node. */
  @Property
  void noReadingLaunchesTwoOrLeavesTheThresholdOrLess(@ForAll("steps") List<Step> steps) {
    Replay replay = new Replay(new ThresholdLaunchPolicy(10), 0);
    long availableBytes = 0;
    boolean launched = true;
    for (Step step : steps) {
      boolean started = replay.apply(step).filter(Replay.Asked::launched).isPresent();
      if (started) {
        assertThat(launched).isFalse();
        assertThat(availableBytes - ((Step.Requests) step).bytes()).isGreaterThan(20);
        launched = true;
      } else if (step instanceof Step.Observed observed) {
        availableBytes = observed.availableBytes();
        launched = false;
      } else if (step instanceof Step.Unobserved) {
        launched = true;
      }
    }
  }

  @Test
  void thresholdOutOfRangeIsRefused() {
    for (int percent : new int[] {-1, 91}) {
      assertThatThrownBy(() -> new ThresholdLaunchPolicy(percent))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("within 0 and 90, got " + percent);
    }
  }

  private static LaunchRequest request(long bytes) {
    return new LaunchRequest(
        "c",
        ExecutionType.OPPORTUNISTIC,
        new JobKey("job"),
        new Owner("alice", "application_1"),
        bytes);
  }

  private LaunchVerdict judge(long bytes) {
    return policy.judge(request(bytes), bytes, 0);
  }

  private void read(long availableBytes) {
    policy.observed(new NodeMemory(1000, availableBytes), Map.of(), 0);
  }
}
