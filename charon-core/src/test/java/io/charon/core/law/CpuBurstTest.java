/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.ContainerBandwidths;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.ContainerBandwidths.Burst;
import io.charon.core.mechanism.ContainerBandwidths.Container;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.Snapshot;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class CpuBurstTest {
  private static final Bandwidth FIFTH = new Bandwidth(20_000, 100_000, 0);
  private static final Bandwidth BUCKET = new Bandwidth(100_000, 500_000, 100_000);

  private final CpuBurst mechanism = new CpuBurst(10, Availability.available());

  @Test
  void tenQuotasCanBeUsedAtOnce() {
    assertThat(new TokenBucket(10, Burst.UP_TO_QUOTA).of(FIFTH)).isEqualTo(BUCKET);
    assertThat(BUCKET.maxAtOnceMicros()).isEqualTo(10 * FIFTH.quotaMicros());
    assertThat(new TokenBucket(20, Burst.UP_TO_QUOTA).of(FIFTH))
        .isEqualTo(new Bandwidth(200_000, 1_000_000, 200_000));
    assertThat(new TokenBucket(10, Burst.BEYOND_QUOTA).of(FIFTH))
        .isEqualTo(new Bandwidth(20_000, 100_000, 200_000));
    assertThat(new TokenBucket(10, Burst.NONE).of(FIFTH))
        .isEqualTo(new Bandwidth(100_000, 500_000, 0));
  }

  /** YARN's quotas: a CPU second in a period of a second divided by the cores. */
  @Test
  void aLongerPeriodStays() {
    assertThat(new TokenBucket(10, Burst.UP_TO_QUOTA).of(new Bandwidth(1_000_000, 1_000_000, 0)))
        .isEqualTo(new Bandwidth(1_000_000, 1_000_000, 1_000_000));
    assertThat(new TokenBucket(10, Burst.UP_TO_QUOTA).of(new Bandwidth(1_000_000, 333_333, 0)))
        .isEqualTo(new Bandwidth(1_500_001, 500_000, 1_500_001));
  }

  @Test
  void aFactorBeyondTheLongestPeriodIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new TokenBucket(21, Burst.NONE));
    assertThatIllegalArgumentException().isThrownBy(() -> new TokenBucket(0, Burst.NONE));
  }

  @Property
  void theShareStaysAndNothingIsBeyondWhatAKernelTakes(
      @ForAll @IntRange(min = 1, max = 20) int factor,
      @ForAll Burst burst,
      @ForAll @LongRange(min = 1000, max = 256_000_000) long quota,
      @ForAll @LongRange(min = 1000, max = 1_000_000) long period,
      @ForAll @LongRange(min = 0, max = 256_000_000) long burstBefore) {
    assumeThat(burst == Burst.BEYOND_QUOTA || burstBefore <= quota).isTrue();
    Bandwidth found = new Bandwidth(quota, period, burst == Burst.NONE ? 0 : burstBefore);
    TokenBucket law = new TokenBucket(factor, burst);
    Bandwidth bucket = law.of(found);

    assertThat(bucket.hasShareOf(found)).isTrue();
    assertThat(bucket.cores()).as("a parent may have no more").isLessThanOrEqualTo(found.cores());
    assertThat(bucket.periodMicros()).isBetween(found.periodMicros(), 1_000_000L);
    assertThat(bucket.maxAtOnceMicros()).isGreaterThanOrEqualTo(found.maxAtOnceMicros());
    if (burst != Burst.BEYOND_QUOTA) {
      assertThat(bucket.burstMicros()).isLessThanOrEqualTo(bucket.quotaMicros());
    }
    assertThat(law.of(bucket)).as("applied twice").isEqualTo(bucket);
  }

  private List<Action> decide(Burst burst, Container... containers) {
    return mechanism.decide(
        new Snapshot(0, new ContainerBandwidths(burst, List.of(containers), 3)));
  }

  @Test
  void withoutAnyQuotaItSaysSo() {
    assertThat(mechanism.report().cause()).isEmpty();
    assertThat(decide(Burst.UP_TO_QUOTA)).isEmpty();
    assertThat(mechanism.report().cause()).contains("no container has a quota");
    assertThat(mechanism.report().value(MechanismReport.VALUE)).hasValue(0);
    assertThat(mechanism.report().detail()).isEmpty();
  }

  @Test
  void aContainerWithAQuotaGetsABucketOnce() {
    Action.SetBandwidth wanted =
        (Action.SetBandwidth)
            decide(Burst.UP_TO_QUOTA, new Container("c", true, FIFTH, FIFTH)).get(0);
    assertThat(wanted.target()).isEqualTo("c");
    assertThat(wanted.verb()).isEqualTo("burst");
    assertThat(wanted.bandwidth()).isEqualTo(BUCKET);
    assertThat(wanted.basis().protects()).isEqualTo("production");
    assertThat(wanted.basis().limit()).isEqualTo(100_000);
    assertThat(wanted.basis().reason())
        .isEqualTo(
            "quota of 0.20 cores: 200 ms of CPU time can be used at once instead of 20 ms, at the"
                + " same share");
    assertThat(mechanism.report().detail().orElseThrow())
        .startsWith("0 of 1 containers with a quota");

    assertThat(decide(Burst.UP_TO_QUOTA, new Container("c", true, BUCKET, FIFTH))).isEmpty();
    assertThat(mechanism.report().detail())
        .contains(
            "1 of 1 containers with a quota have a bucket (by a longer period and a burst as large"
                + " as the quota)");
    assertThat(mechanism.report().cause())
        .contains("each quota has a bucket of 10 times its CPU time in 100 ms");
    assertThat(mechanism.report().value(MechanismReport.CAPACITY)).hasValue(3);
  }

  @Test
  void aContainerThatLeavesProductionGetsItsFormerValueBack() {
    Action.SetBandwidth wanted =
        (Action.SetBandwidth)
            decide(Burst.UP_TO_QUOTA, new Container("c", false, BUCKET, FIFTH)).get(0);
    assertThat(wanted.verb()).isEqualTo("restore");
    assertThat(wanted.bandwidth()).isEqualTo(FIFTH);
    assertThat(mechanism.report().cause()).contains("no container has a quota");
  }
}
