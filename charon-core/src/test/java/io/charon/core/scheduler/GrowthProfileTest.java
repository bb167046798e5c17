/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** How much more containers are expected to need. */
class GrowthProfileTest {
  private static final JobKey SORT = JobKey.of("alice", "20", 1000).narrowed("batch", "sort");
  private static final JobKey JOIN = JobKey.of("alice", "20", 1000).narrowed("batch", "join");
  private static final long REQUEST = 1000;

  private final GrowthProfile profile = new GrowthProfile(20);

  /** Uses a tenth of its peak at 5 s and all of it from 40 s on. */
  private static GrowthSample ramp(long peak) {
    long[] ages = new long[GrowthProfile.AGES_SECONDS.length];
    for (int i = 0; i < ages.length; i++) {
      ages[i] = GrowthProfile.AGES_SECONDS[i] < 40 ? peak / 10 : peak;
    }
    return new GrowthSample(REQUEST, peak, ages);
  }

  @Test
  void whileNothingIsKnownAllThatIsLeftOfTheRequestIsExpected() {
    assertThat(profile.expected(SORT, REQUEST, 0, 0)).isEqualTo(new Growth(1000, 0));
    assertThat(profile.expected(SORT, REQUEST, 500, 700)).isEqualTo(new Growth(300, 0));
    assertThat(profile.expected(SORT, REQUEST, 500, 1300)).isEqualTo(new Growth(0, 0));
  }

  @Test
  void aNewContainerIsExpectedToNeedWhatOthersOfItsJobDid() {
    for (long peak : new long[] {100, 200, 300}) {
      profile.record(SORT, ramp(peak));
    }
    Growth growth = profile.expected(SORT, REQUEST, 0, 0);
    assertThat(growth.meanBytes()).isEqualTo(200);
    assertThat(growth.deviationBytes()).isCloseTo(100, within(1e-9));
    // Another job of the same user and size is as much known by the wider key.
    assertThat(profile.expected(JOIN, REQUEST, 0, 0)).isEqualTo(growth);
    assertThat(profile.expected(new JobKey("other"), REQUEST, 0, 0).meanBytes()).isEqualTo(1000);
  }

  @Test
  void whoIsPastTheRampGrowsNoMoreAndWhoIsNotGrowsAsOthersDid() {
    for (int i = 0; i < 3; i++) {
      profile.record(SORT, ramp(200));
    }
    assertThat(profile.expected(SORT, REQUEST, 7, 30).meanBytes()).isCloseTo(270, within(1e-9));
    assertThat(profile.expected(SORT, REQUEST, 100, 30)).isEqualTo(new Growth(0, 0));
  }

  @Test
  void ofAnUnknownJobTwentyContainersOfAnyJobSpeak() {
    for (int i = 0; i < 19; i++) {
      profile.record(new JobKey("job" + i), ramp(250));
    }
    assertThat(profile.expected(SORT, REQUEST, 0, 0).meanBytes()).isEqualTo(1000);
    profile.record(new JobKey("job19"), ramp(250));
    assertThat(profile.expected(SORT, 400, 0, 0).meanBytes()).isCloseTo(100, within(1e-9));
    assertThat(profile.expected(SORT, 400, 100, 90).meanBytes()).isZero();
  }

  @Test
  void whatWasKnownOfARunningContainerGivesWayToItsEnd() {
    GrowthSample early = ramp(100);
    profile.record(SORT, early);
    profile.record(SORT, ramp(300));
    profile.record(SORT, ramp(300));
    profile.replace(SORT, early, ramp(300));
    assertThat(profile.expected(SORT, REQUEST, 0, 0)).isEqualTo(new Growth(300, 0));
  }

  @Test
  void theWindowHoldsTheNewest() {
    GrowthProfile shorter = new GrowthProfile(3);
    for (long peak : new long[] {900, 900, 900, 100, 100, 100}) {
      shorter.record(SORT, ramp(peak));
    }
    assertThat(shorter.expected(SORT, REQUEST, 0, 0)).isEqualTo(new Growth(100, 0));
    assertThatThrownBy(() -> new GrowthProfile(2)).hasMessageContaining("at least 3, got 2");
  }

  @Property
  void neverMoreThanIsLeftOfTheRequestAndNeverLess(
      @ForAll @Size(max = 40) List<@LongRange(min = 1, max = 5000) Long> peaks,
      @ForAll @LongRange(min = 1, max = 5000) long request,
      @ForAll @DoubleRange(min = 0, max = 20_000) double age,
      @ForAll @LongRange(min = 0, max = 6000) long used) {
    GrowthProfile any = new GrowthProfile(20);
    peaks.forEach(peak -> any.record(SORT, ramp(peak)));
    Growth growth = any.expected(SORT, request, age, used);
    assertThat(growth.meanBytes()).isBetween(0.0, (double) Math.max(0, request - used));
    assertThat(growth.deviationBytes()).isBetween(0.0, (double) Math.max(0, request - used));
    assertThat(any.expectedPeakBytes(SORT, age, used)).isGreaterThanOrEqualTo(used);
  }
}
