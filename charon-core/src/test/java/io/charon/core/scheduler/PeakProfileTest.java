/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PeakProfileTest {
  private static final JobKey JOB = new JobKey("word count");
  private static final long REQUEST = 999_999;
  private static final long NOW = 1_000;

  @Test
  void requestCountsUntilThreePeaksAreKnown() {
    PeakProfile profile = new PeakProfile(20, 95);
    record(profile, JOB, 10, 20);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(REQUEST);
    record(profile, JOB, 15);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(20);
  }

  @Test
  void windowOfLessThanThreeIsBelievedWhenItIsFull() {
    PeakProfile profile = new PeakProfile(2, 100);
    record(profile, JOB, 10);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(REQUEST);
    record(profile, JOB, 20);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(20);
  }

  @Test
  void jobsDoNotShareTheirPeaks() {
    PeakProfile profile = new PeakProfile(20, 95);
    record(profile, JOB, 10, 10, 10);
    assertThat(profile.expectedPeakBytes(new JobKey("sort"), REQUEST)).isEqualTo(REQUEST);
    assertThat(profile.expectedPeakBytes(new JobKey("word count"), REQUEST)).isEqualTo(10);
  }

  @Test
  void anUnknownJobIsExpectedToUseAsMuchOfItsRequestAsOthers() {
    PeakProfile profile = new PeakProfile(20, 95);
    JobKey unknown = new JobKey("unknown");
    for (int share = 1; share < PeakProfile.MIN_SAMPLES_OF_ALL_JOBS; share++) {
      profile.record(new JobKey("job" + share), 1000, 10L * share, NOW); // 1 to 19 %
    }
    assertThat(profile.expectedPeakBytes(unknown, 1001)).isEqualTo(1001);
    profile.record(JOB, 1000, 5000, NOW);
    assertThat(profile.expectedPeakBytes(unknown, 1001)).isEqualTo(191); // 95 %: the 19th of 20
    record(profile, JOB, 5000, 5000);
    assertThat(profile.expectedPeakBytes(JOB, 1000)).isEqualTo(5000);
  }

  @Test
  void anUnknownJobIsNeverExpectedToNeedMoreThanItsRequest() {
    PeakProfile profile = new PeakProfile(20, 95);
    for (int i = 0; i < 200; i++) {
      profile.record(JOB, 1000, 5000, NOW);
    }
    assertThat(profile.expectedPeakBytes(new JobKey("unknown"), 700)).isEqualTo(700);
  }

  @Test
  void neverMeasuredPeaksAreNotRecorded() {
    PeakProfile profile = new PeakProfile(20, 95);
    record(profile, JOB, 10, 20, 0, -1);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(REQUEST);
  }

  @Test
  void oldestPeaksLeaveTheWindow() {
    PeakProfile profile = new PeakProfile(3, 100);
    record(profile, JOB, 90, 10, 20, 30);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(30);
  }

  /** Nearest rank by definition: the smallest value that at least p % of all do not exceed. */
  @Property
  void percentileIsTheNearestRank(
      @ForAll @Size(min = 3, max = 120) List<@LongRange(min = 1, max = 1000) Long> peaks,
      @ForAll @IntRange(min = 1, max = 100) int percentile) {
    PeakProfile profile = new PeakProfile(peaks.size(), percentile);
    peaks.forEach(peak -> profile.record(JOB, peak, peak, NOW));
    long expected =
        peaks.stream()
            .sorted()
            .filter(
                candidate ->
                    100 * peaks.stream().filter(peak -> peak <= candidate).count()
                        >= (long) percentile * peaks.size())
            .findFirst()
            .orElseThrow();
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(expected);
  }

  /** In floating point, 7 % of 100 is more than 7. */
  @Test
  void rankIsExact() {
    for (int percentile = 1; percentile <= 100; percentile++) {
      PeakProfile profile = new PeakProfile(100, percentile);
      for (long peak = 1; peak <= 100; peak++) {
        profile.record(JOB, peak, peak, NOW);
      }
      assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(percentile);
    }
  }

  @Test
  void jobNotUsedForLongestIsForgottenFirst() {
    PeakProfile profile = new PeakProfile(20, 95);
    JobKey asked = new JobKey("asked for");
    JobKey unused = new JobKey("unused");
    record(profile, asked, 10, 10, 10);
    record(profile, unused, 10, 10, 10);
    for (int job = 2; job < PeakProfile.MAX_JOBS; job++) {
      profile.record(new JobKey("job" + job), 10, 10, NOW);
    }
    assertThat(profile.expectedPeakBytes(asked, REQUEST)).isEqualTo(10);

    profile.record(new JobKey("one more"), 10, 10, NOW);

    assertThat(profile.expectedPeakBytes(asked, REQUEST)).isEqualTo(10);
    assertThat(profile.expectedPeakBytes(unused, REQUEST)).isEqualTo(REQUEST);
  }

  @Test
  void whatOtherNodesTellDisplacesNothingThatThisNodeHasMeasured() {
    PeakProfile profile = new PeakProfile(20, 95);
    record(profile, JOB, 10, 10, 10);
    tellOfManyJobs(profile);
    assertThat(profile.samples(JOB.value())).hasSize(3);
    assertThat(profile.learned())
        .hasSize(PeakProfile.MAX_JOBS + 1)
        .endsWith(peaks(JOB, 10, 10, 10));
  }

  @Test
  void aJobThatOthersToldIsKeptOnceThisNodeHasMeasuredIt() {
    PeakProfile profile = new PeakProfile(20, 95);
    assertThat(profile.learn(List.of(told(JOB.value(), 30), told("told", 7)), NOW)).isEqualTo(2);
    record(profile, JOB, 10);
    tellOfManyJobs(profile);
    assertThat(profile.samples("told")).isEmpty();
    assertThat(profile.samples(JOB.value()))
        .extracting(PeakSample::peakBytes)
        .containsExactly(30L, 10L);

    PeakProfile next = new PeakProfile(20, 95);
    next.restore(profile.learned(), NOW);
    assertThat(next.learned()).isEqualTo(profile.learned());
    tellOfManyJobs(next);
    assertThat(next.samples(JOB.value())).hasSize(2);
  }

  private static void tellOfManyJobs(PeakProfile profile) {
    for (int job = 0; job < PeakProfile.MAX_JOBS; job++) {
      assertThat(profile.learn(List.of(told("job" + job, 7)), NOW)).isBetween(0, 1);
    }
  }

  private static JobPeaks told(String job, long peak) {
    return new JobPeaks(new JobKey(job), List.of(new PeakSample(peak, peak, NOW, false)));
  }

  @Test
  void whatWasLearnedOutlivesTheProfile() {
    JobKey sort = new JobKey("sort");
    PeakProfile profile = new PeakProfile(3, 100);
    record(profile, JOB, 90, 10, 20, 30);
    record(profile, sort, 7);
    profile.expectedPeakBytes(JOB, REQUEST); // used last

    List<JobPeaks> learned = profile.learned();
    assertThat(learned).containsExactly(peaks(sort, 7), peaks(JOB, 10, 20, 30));

    PeakProfile next = new PeakProfile(3, 100);
    next.restore(learned, NOW);
    assertThat(next.learned()).isEqualTo(learned);
    assertThat(next.expectedPeakBytes(JOB, REQUEST)).isEqualTo(30);

    PeakProfile shorter = new PeakProfile(2, 100);
    shorter.restore(learned, NOW);
    assertThat(shorter.learned()).contains(peaks(JOB, 20, 30), peaks(sort, 7));
  }

  @Test
  void whatAKilledContainerHadReachedOnlyRaisesTheEstimate() {
    PeakProfile profile = new PeakProfile(20, 95);
    record(profile, JOB, 50, 50, 50);

    for (int i = 0; i < 20; i++) {
      profile.recordTruncated(JOB, REQUEST, 10, NOW);
    }
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(50);

    profile.recordTruncated(JOB, REQUEST, 60, NOW);
    assertThat(profile.expectedPeakBytes(JOB, REQUEST)).isEqualTo(60);
  }

  @Test
  void rangesAreChecked() {
    assertThatThrownBy(() -> new PeakProfile(0, 95))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("windowSamples must be at least 1, got 0");
    assertThatThrownBy(() -> new PeakProfile(1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("within 1 and 100, got 0");
    assertThatThrownBy(() -> new PeakProfile(1, 101))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("within 1 and 100, got 101");
  }

  private static JobPeaks peaks(JobKey job, long... peaks) {
    return new JobPeaks(
        job, Arrays.stream(peaks).mapToObj(peak -> new PeakSample(peak, peak, NOW, true)).toList());
  }

  private static void record(PeakProfile profile, JobKey job, long... peaks) {
    for (long peak : peaks) {
      profile.record(job, peak, peak, NOW);
    }
  }

  @Test
  void aJobThatIsNewIsExpectedToNeedWhatOthersOfItsWiderKeyDid() {
    PeakProfile profile = new PeakProfile(20, 95);
    JobKey alice = JobKey.of("alice", "20", 1000);
    JobKey sort = alice.narrowed("batch", "sort");
    JobKey join = alice.narrowed("batch", "join");
    for (int i = 0; i < 3; i++) {
      profile.record(sort, REQUEST, 10, NOW + i);
    }

    assertThat(profile.expectedPeakBytes(join, REQUEST)).isEqualTo(10);
    assertThat(profile.expectedPeakBytes(alice, REQUEST)).isEqualTo(10);

    for (int i = 3; i < 6; i++) {
      profile.record(join, REQUEST, 70, NOW + i);
    }
    assertThat(profile.expectedPeakBytes(join, REQUEST)).isEqualTo(70);
    assertThat(profile.expectedPeakBytes(sort, REQUEST)).isEqualTo(10);
    assertThat(profile.expectedPeakBytes(alice.narrowed("batch", "new"), REQUEST)).isEqualTo(70);
  }

  @Test
  void aContainerCountsOnceAmongAllAfterARestartAlthoughTwoKeysKeepIt() {
    PeakProfile profile = new PeakProfile(20, 95);
    JobKey sort = JobKey.of("alice", "20", 1000).narrowed("batch", "sort");
    for (int i = 0; i < 10; i++) {
      profile.record(sort, REQUEST, 10, NOW + i);
    }
    PeakProfile next = new PeakProfile(20, 95);
    next.restore(profile.learned(), NOW);

    // Ten containers are too few to predict unknown jobs; twenty would be enough.
    assertThat(next.expectedPeakBytes(new JobKey("unknown"), REQUEST)).isEqualTo(REQUEST);
    assertThat(next.expectedPeakBytes(sort, REQUEST)).isEqualTo(10);
  }
}
