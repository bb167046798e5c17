/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** No other node can make a job look smaller than three of its containers were on this one. */
class ToldPeaksTest {
  private static final JobKey JOB = new JobKey("word count");
  private static final long GIB = 1L << 30;
  private static final long TEN = 10 * GIB;
  private static final long REQUEST = 100 * GIB;
  private static final long DAY = 86_400_000;
  private static final long NOW = 20_000 * DAY;

  @Test
  void twentyOwnPeaksAreNotDisplacedByTwentySmallOnesOfAnotherNode() {
    PeakProfile profile = new PeakProfile(20, 95, new PeakDecay(7 * DAY));
    measure(profile, 20, NOW - DAY);
    tell(profile, 20);
    assertThat(profile.samples(JOB.value())).hasSize(20).allMatch(PeakSample::own);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(TEN);
    assertThat(need(profile)).isEqualTo(new Growth(TEN, 0.1 * TEN));
  }

  @Test
  void threeOwnPeaksCountHoweverManyWereToldBefore() {
    PeakProfile profile = new PeakProfile(20, 50);
    tell(profile, 20);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(10);
    measure(profile, 3, NOW);
    assertThat(profile.samples(JOB.value())).hasSize(20).filteredOn(PeakSample::own).hasSize(3);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(TEN);
    assertThat(need(profile).meanBytes()).isEqualTo(TEN);
  }

  @Test
  void ownPeaksThatAreMuchOlderThanToldOnesStillCount() {
    PeakProfile profile = new PeakProfile(20, 95, new PeakDecay(DAY));
    measure(profile, 3, NOW - 10_000 * DAY);
    tell(profile, 20);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(TEN);
  }

  @Test
  void runningContainersThatHaveSettledAreOwnOnes() {
    PeakProfile profile = new PeakProfile(20, 95);
    tell(profile, 20);
    JobNeeds needs = new JobNeeds(profile);
    assertThat(needs.of(request()).meanBytes()).isLessThan(21);
    needs.observed(Stream.generate(ToldPeaksTest::settled).limit(3).toList());
    assertThat(needs.of(request()).meanBytes()).isEqualTo(TEN);
  }

  @Test
  void untilThreeAreItsOwnANodeBelievesOthers() {
    PeakProfile profile = new PeakProfile(20, 50);
    measure(profile, 2, NOW);
    tell(profile, 18);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isLessThan(20);
    assertThat(need(profile).meanBytes()).isEqualTo((2 * TEN + 171) / 20.0);
  }

  @Test
  void largerPeaksOfOtherNodesRaiseTheEstimate() {
    PeakProfile profile = new PeakProfile(20, 50);
    for (int i = 0; i < 3; i++) {
      profile.record(JOB, REQUEST, 1, NOW + i);
    }
    tell(profile, 20);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(10);
    assertThat(need(profile).meanBytes()).isGreaterThan(9);
  }

  @Test
  void anUnknownJobIsNotExpectedToUseLessOfItsRequestThanTheNodesOwnDid() {
    PeakProfile profile = new PeakProfile(20, 50);
    for (int i = 0; i < PeakProfile.MIN_SAMPLES_OF_ALL_JOBS; i++) {
      profile.record(new JobKey("job" + i), REQUEST, REQUEST / 2, NOW + i);
    }
    tell(profile, 200);
    assertThat(profile.expectedPeakBytes(new JobKey("unknown"), REQUEST)).isEqualTo(REQUEST / 2);
  }

  @Test
  void aSmallerWindowThatIsRestoredKeepsTheNodesOwn() {
    PeakProfile profile = new PeakProfile(20, 95);
    measure(profile, 10, NOW - DAY);
    tell(profile, 10);
    PeakProfile next = new PeakProfile(10, 95);
    next.restore(profile.learned(), NOW);
    assertThat(next.samples(JOB.value())).hasSize(10).allMatch(PeakSample::own);
  }

  /**
   * Compares with a node that nobody tells anything.
   *
   * @param peaks in order; those above 0 are the node's own, those below 0 are told
   */
  @Property
  void whateverIsToldTheEstimateIsAtLeastThatOfTheNodesOwnPeaks(
      @ForAll @Size(max = 60) List<@IntRange(min = -1000, max = 1000) Integer> peaks,
      @ForAll @IntRange(min = 3, max = 20) int windowSamples,
      @ForAll @IntRange(min = 1, max = 100) int percentile,
      @ForAll @LongRange(min = 0, max = 20) long halfLifeDays) {
    PeakDecay decay = new PeakDecay(halfLifeDays * DAY);
    PeakProfile alone = new PeakProfile(windowSamples, percentile, decay);
    PeakProfile told = new PeakProfile(windowSamples, percentile, decay);
    for (int i = 0; i < peaks.size(); i++) {
      long now = NOW + i * DAY;
      int bytes = peaks.get(i);
      if (bytes > 0) {
        alone.record(JOB, REQUEST, bytes, now);
        told.record(JOB, REQUEST, bytes, now);
      } else if (bytes < 0) {
        PeakSample other = new PeakSample(-bytes, REQUEST, NOW - bytes % 61 * DAY, false);
        alone.learn(List.of(), now);
        told.learn(List.of(new JobPeaks(JOB, List.of(other))), now);
      }
      List<PeakSample> own = alone.samples(JOB.value());
      assertThat(told.samples(JOB.value())).filteredOn(PeakSample::own).isEqualTo(own);
      if (own.size() >= PeakProfile.MINIMUM_SAMPLES) {
        assertThat(told.expectedPeakBytes(JOB, REQUEST))
            .isGreaterThanOrEqualTo(alone.expectedPeakBytes(JOB, REQUEST));
        assertThat(need(told).meanBytes()).isGreaterThanOrEqualTo(need(alone).meanBytes());
        assertThat(need(told).deviationBytes())
            .isGreaterThanOrEqualTo(need(alone).deviationBytes());
      }
    }
  }

  /** Records own containers that used ten gibibytes each. */
  private static void measure(PeakProfile profile, int containers, long fromMillis) {
    for (int i = 0; i < containers; i++) {
      profile.record(JOB, REQUEST, TEN, fromMillis + i);
    }
  }

  /** Tells of containers that used one byte, two bytes and so on, and ended just now. */
  private static void tell(PeakProfile profile, int containers) {
    List<PeakSample> samples =
        IntStream.rangeClosed(1, containers)
            .mapToObj(bytes -> new PeakSample(bytes, REQUEST, NOW, false))
            .toList();
    profile.learn(List.of(new JobPeaks(JOB, samples)), NOW);
  }

  private static Growth need(PeakProfile profile) {
    return new JobNeeds(profile).of(request());
  }

  private static LaunchRequest request() {
    return new LaunchRequest(
        "c", ExecutionType.OPPORTUNISTIC, JOB, new Owner("alice", "application"), REQUEST);
  }

  private static RunningGrowth settled() {
    RunningGrowth container = new RunningGrowth(request(), 0, new Growth(0, 0));
    container.observed(TEN, RunningGrowth.SETTLES_WITHIN.toNanos());
    container.observed(TEN, 2 * RunningGrowth.SETTLES_WITHIN.toNanos());
    return container;
  }
}
