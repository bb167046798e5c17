/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.kill.VictimChoice.Candidate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Tests the order in which memory is reclaimed, the victims, and the wait for launches. */
class TakeBackTest {
  private static final long MB = 1 << 20;
  private static final long MS = 1_000_000L;
  private static final long SECOND = 1000 * MS;

  private final TakeBack takeBack = new TakeBack();

  private static Shortage due(long due, long clean) {
    return new Shortage(due * MB, clean * MB, 0);
  }

  @Test
  void cleanCacheIsNeverAReasonToKill() {
    assertThat(takeBack.killBytes(due(50, 60), 0)).isZero();
    assertThat(takeBack.killBytes(due(50, 60), 60 * SECOND)).isZero();
  }

  @Test
  void aShortageThatNothingCoversIsKilledForAfterAHundredMilliseconds() {
    assertThat(takeBack.killBytes(due(80, 30), 0)).isZero();
    assertThat(takeBack.killBytes(due(80, 30), 80 * MS)).isZero();
    assertThat(takeBack.killBytes(due(80, 30), 100 * MS)).isEqualTo(50 * MB);
  }

  @Test
  void aShortageThatTheReserveCoversCausesNoKill() {
    Shortage small = new Shortage(14 * MB, 10 * MB, 4 * MB);
    assertThat(takeBack.killBytes(small, 0)).isZero();
    assertThat(takeBack.killBytes(small, SECOND)).isZero();
    Shortage more = new Shortage(15 * MB, 10 * MB, 4 * MB);
    assertThat(takeBack.killBytes(more, 2 * SECOND)).as("it began just now").isZero();
    assertThat(takeBack.killBytes(more, 3 * SECOND)).isEqualTo(5 * MB);
  }

  @Test
  void theHundredMillisecondsBeginAgainWhenItWasCovered() {
    takeBack.killBytes(due(80, 30), 0);
    takeBack.killBytes(due(80, 90), 50 * MS);
    assertThat(takeBack.killBytes(due(80, 30), 100 * MS)).isZero();
    assertThat(takeBack.killBytes(due(80, 30), 200 * MS)).isEqualTo(50 * MB);
  }

  @Property
  void killsCoverWhatIsDueAndPageCacheDoesNot(
      @ForAll @LongRange(max = 1000) long due, @ForAll @LongRange(max = 1000) long clean) {
    TakeBack fresh = new TakeBack();
    fresh.killBytes(due(due, clean), 0);
    assertThat(fresh.killBytes(due(due, clean), SECOND)).isEqualTo(Math.max(0, due - clean) * MB);
  }

  private static Candidate candidate(long number, long megabytes, long ageSeconds) {
    return new Candidate(number, megabytes * MB, ageSeconds * 1000, 1000);
  }

  @Test
  void theSmallestContainerThatCoversTheShortageAloneIsKilled() {
    List<Candidate> all = List.of(candidate(1, 40, 5), candidate(2, 90, 1), candidate(3, 60, 900));
    assertThat(VictimSelection.choose(all, 50 * MB))
        .extracting(Candidate::number)
        .containsExactly(3L);
  }

  @Test
  void elseThoseWithTheMostForTheirTime() {
    List<Candidate> all =
        List.of(candidate(1, 40, 400), candidate(2, 30, 1), candidate(3, 45, 900));
    assertThat(VictimSelection.choose(all, 60 * MB))
        .extracting(Candidate::number)
        .containsExactly(2L, 1L);
  }

  @Test
  void aContainerThatReleasesNothingOrIsProtectedIsNotKilled() {
    List<Candidate> all = List.of(candidate(1, 0, 1), new Candidate(2, 90 * MB, 1000, 0));
    assertThat(VictimSelection.choose(all, 50 * MB)).isEmpty();
  }

  @Property
  void noContainerIsKilledWithoutEffect(
      @ForAll @Size(max = 12) List<@LongRange(max = 100) Long> sizes,
      @ForAll @LongRange(max = 500) long megabytes) {
    List<Candidate> all = new ArrayList<>();
    for (long size : sizes) {
      all.add(candidate(all.size(), size, all.size()));
    }
    List<Candidate> chosen = VictimSelection.choose(all, megabytes * MB);
    assertThat(chosen).hasSizeLessThanOrEqualTo(5).doesNotHaveDuplicates();
    long before = 0;
    for (Candidate victim : chosen) {
      assertThat(before).isLessThan(megabytes * MB);
      before += victim.freesBytes();
    }
  }

  @Test
  void launchesWaitTwiceAsLongWhileKillsRepeat() {
    LaunchWait wait = new LaunchWait(Duration.ofSeconds(5));
    assertThat(wait.left(0)).isZero();
    wait.killed(0);
    wait.killed(SECOND); // the same occasion
    assertThat(wait.left(SECOND)).isEqualTo(Duration.ofSeconds(5));
    assertThat(wait.left(6 * SECOND)).isZero();
    wait.killed(8 * SECOND);
    assertThat(wait.left(8 * SECOND)).isEqualTo(Duration.ofSeconds(10));
    wait.killed(25 * SECOND);
    assertThat(wait.left(25 * SECOND)).isEqualTo(Duration.ofSeconds(20));
    wait.killed(66 * SECOND); // long after
    assertThat(wait.left(66 * SECOND)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void thatWaitHasAnEnd() {
    LaunchWait wait = new LaunchWait(Duration.ofSeconds(5));
    long now = 0;
    for (int i = 0; i < 40; i++) {
      now += wait.left(now).toNanos() + 4 * SECOND;
      wait.killed(now);
    }
    assertThat(wait.left(now)).isEqualTo(Duration.ofMinutes(5));
  }
}
