/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PeakDecayTest {
  private static final JobKey JOB = new JobKey("word count");
  private static final long REQUEST = 999_999;
  private static final long DAY = 86_400_000;
  private static final long NOW = 20_000 * DAY;

  @Property
  void equalAgesGiveTheNearestRank(
      @ForAll @Size(min = 3, max = 60) List<@LongRange(min = 1, max = 1000) Long> peaks,
      @ForAll @IntRange(min = 1, max = 100) int percentile,
      @ForAll @LongRange(min = 1, max = 400 * DAY) long halfLifeMillis) {
    PeakProfile decaying = new PeakProfile(peaks.size(), percentile, new PeakDecay(halfLifeMillis));
    PeakProfile plain = new PeakProfile(peaks.size(), percentile);
    for (long peak : peaks) {
      decaying.record(JOB, peak, peak, NOW);
      plain.record(JOB, peak, peak, NOW);
    }
    assertThat(decaying.expectedPeakBytes(JOB, REQUEST))
        .isEqualTo(plain.expectedPeakBytes(JOB, REQUEST));
  }

  @Property
  void whereAgeDoesNotCountTimesDoNot(
      @ForAll @Size(min = 3, max = 60) List<@LongRange(min = 1, max = 1000) Long> peaks,
      @ForAll @IntRange(min = 1, max = 100) int percentile) {
    PeakProfile dated = new PeakProfile(peaks.size(), percentile);
    PeakProfile undated = new PeakProfile(peaks.size(), percentile);
    for (long peak : peaks) {
      dated.record(JOB, peak, peak, peak * DAY);
      undated.record(JOB, peak, peak, 0);
    }
    assertThat(dated.expectedPeakBytes(JOB, REQUEST))
        .isEqualTo(undated.expectedPeakBytes(JOB, REQUEST));
  }

  @Property
  void peaksOfTenTimesTheSizeGiveTenTimesTheExpectation(
      @ForAll @Size(min = 3, max = 60) List<@LongRange(min = 1, max = 1000) Long> peaks,
      @ForAll @Size(60) List<@LongRange(min = 0, max = 100 * DAY) Long> ages,
      @ForAll @IntRange(min = 1, max = 100) int percentile) {
    assertThat(expected(peaks, ages, percentile, 10, 0))
        .isEqualTo(10 * expected(peaks, ages, percentile, 1, 0));
  }

  /** Only differences in age matter, so the peaks of a job that pauses stay valid. */
  @Property
  void aPauseChangesNothing(
      @ForAll @Size(min = 3, max = 60) List<@LongRange(min = 1, max = 1000) Long> peaks,
      @ForAll @Size(60) List<@LongRange(min = 0, max = 100 * DAY) Long> ages,
      @ForAll @IntRange(min = 1, max = 100) int percentile,
      @ForAll @LongRange(min = 0, max = 1000 * DAY) long pauseMillis) {
    assertThat(expected(peaks, ages, percentile, 1, pauseMillis))
        .isEqualTo(expected(peaks, ages, percentile, 1, 0));
  }

  @Property
  void theExpectationIsOneOfThePeaks(
      @ForAll @Size(min = 3, max = 60) List<@LongRange(min = 1, max = 1000) Long> peaks,
      @ForAll @Size(60) List<@LongRange(min = 0, max = 20_000 * DAY) Long> ages,
      @ForAll @IntRange(min = 1, max = 100) int percentile) {
    assertThat(peaks).contains(expected(peaks, ages, percentile, 1, 0));
  }

  /** Ten half-lives leave a thousandth: fewer than fifty old peaks weigh under 5 % of a new one. */
  @Property
  void oldPeaksDoNotDominateNewOnes(
      @ForAll @Size(min = 2, max = 40) List<@LongRange(min = 5_001, max = 9_000) Long> old,
      @ForAll @Size(min = 1, max = 40) List<@LongRange(min = 1, max = 5_000) Long> recent,
      @ForAll @IntRange(min = 1, max = 95) int percentile) {
    PeakProfile profile = new PeakProfile(80, percentile, new PeakDecay(7 * DAY));
    old.forEach(peak -> profile.record(JOB, peak, peak, NOW - 70 * DAY));
    recent.forEach(peak -> profile.record(JOB, peak, peak, NOW));
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isBetween(1L, 5_000L);
  }

  @Test
  void aPeakOfOneHalfLifeAgoWeighsHalf() {
    // Of a total weight of 1 + 1 + 1/2, the two new peaks are 80 %.
    assertThat(twoNewAndOneOld(79, 7 * DAY)).isEqualTo(10);
    assertThat(twoNewAndOneOld(80, 7 * DAY)).isEqualTo(10);
    assertThat(twoNewAndOneOld(81, 7 * DAY)).isEqualTo(90);
    assertThat(twoNewAndOneOld(66, 0)).isEqualTo(10);
    assertThat(twoNewAndOneOld(67, 0)).isEqualTo(90);
  }

  private static long twoNewAndOneOld(int percentile, long ageMillis) {
    PeakProfile profile = new PeakProfile(20, percentile, new PeakDecay(7 * DAY));
    profile.record(JOB, 90, 90, NOW - ageMillis);
    profile.record(JOB, 10, 10, NOW);
    profile.record(JOB, 10, 10, NOW);
    return profile.expectedPeakBytes(JOB, REQUEST);
  }

  @Test
  void aClockThatWasSetBackMakesNothingOld() {
    PeakProfile profile = new PeakProfile(20, 67, new PeakDecay(7 * DAY));
    profile.record(JOB, 90, 90, NOW + 10_000 * DAY);
    profile.record(JOB, 10, 10, NOW);
    profile.record(JOB, 10, 10, NOW);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(90);
    PeakProfile later = new PeakProfile(20, 66, new PeakDecay(7 * DAY));
    later.restore(profile.learned(), NOW);
    assertThat(later.expectedPeakBytes(JOB, REQUEST)).isEqualTo(10);
  }

  @Test
  void agesBeyondAllHalfLivesAreBounded() {
    PeakProfile profile = new PeakProfile(20, 100, new PeakDecay(1));
    profile.record(JOB, 90, 90, 0);
    profile.record(JOB, 80, 80, 0);
    profile.record(JOB, 10, 10, Long.MAX_VALUE);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(10);
    assertThatThrownBy(() -> new PeakDecay(-1)).hasMessageContaining("at least 0, got -1");
  }

  @Test
  void sharesOfRequestsOutliveTheProfile() {
    PeakProfile profile = new PeakProfile(20, 95);
    for (int i = 0; i < PeakProfile.MIN_SAMPLES_OF_ALL_JOBS; i++) {
      profile.record(new JobKey("job" + i % 2), 1000, 250, NOW + i);
    }
    PeakProfile next = new PeakProfile(20, 95);
    next.restore(profile.learned(), NOW);
    assertThat(next.expectedPeakBytes(new JobKey("unknown"), 400)).isEqualTo(100);
  }

  @Test
  void whatOtherNodesMeasuredIsKnownAndNotCountedTwice() {
    PeakProfile profile = new PeakProfile(3, 100);
    profile.record(JOB, 100, 50, NOW - 5);
    List<JobPeaks> others =
        List.of(
            new JobPeaks(JOB, List.of(other(70, NOW - 9), other(20, NOW - 3))),
            new JobPeaks(new JobKey("sort"), List.of(other(7, NOW))));
    assertThat(profile.learn(others, NOW)).isEqualTo(1);
    assertThat(profile.learn(others, NOW)).isZero();
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(70);

    JobPeaks newer = new JobPeaks(JOB, List.of(other(30, NOW), other(99, NOW - 100)));
    assertThat(profile.learn(List.of(newer), NOW)).isZero();
    assertThat(profile.learned().stream().filter(known -> known.job().equals(JOB)).findFirst())
        .get()
        .extracting(JobPeaks::samples)
        .isEqualTo(
            List.of(new PeakSample(50, 100, NOW - 5, true), other(20, NOW - 3), other(30, NOW)));
  }

  private static PeakSample other(long peakBytes, long atMillis) {
    return new PeakSample(peakBytes, 100, atMillis, false);
  }

  private static long expected(
      List<Long> peaks, List<Long> ages, int percentile, long factor, long pauseMillis) {
    PeakProfile profile = new PeakProfile(peaks.size(), percentile, new PeakDecay(7 * DAY));
    for (int i = 0; i < peaks.size(); i++) {
      long peak = factor * peaks.get(i);
      profile.record(JOB, peak, peak, NOW - ages.get(i));
    }
    profile.restore(List.of(), NOW + pauseMillis);
    return profile.expectedPeakBytes(JOB, REQUEST);
  }
}
