/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.disklimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.memorylimit.Holder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefillLawTest {
  private static final long MB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;
  private static final long SPEED = 100 * MB;
  private static final List<Disk> BUSY = List.of(disk("vda", SPEED));

  private final RefillLaw law = new RefillLaw();
  private long nanos;

  private static Disk disk(String name, long speed) {
    return new Disk(name + ":0", name, OptionalLong.of(speed), true);
  }

  /** All of its memory is clean page cache, except 10 MB. */
  private static Holder holder(String name, long usedBytes, long rightBytes) {
    return new Holder(name, usedBytes, Math.max(0, usedBytes - 10 * MB), rightBytes);
  }

  /** Decides a second later. */
  private RefillDecision second(List<Disk> disks, Holder... holders) {
    nanos += SECOND;
    return law.decide(nanos, Optional.of(Arrays.asList(holders)), disks);
  }

  private RefillCause cause(List<Disk> disks, Holder... holders) {
    return second(disks, holders).cause();
  }

  /** Decides with production that holds the given part of 1,000 MB. */
  private RefillCause holds(long megabytes) {
    return cause(BUSY, holder("p", megabytes * MB, 1000 * MB));
  }

  @Test
  void readsAreLimitedFromTheFirstGrowthUntilNothingIsMissing() {
    assertThat(holds(100)).isEqualTo(RefillCause.NONE_REFILLS);
    RefillDecision first = second(BUSY, holder("p", 150 * MB, 1000 * MB));
    assertThat(first.cause()).isEqualTo(RefillCause.REFILLS);
    assertThat(first.refilling()).containsExactly("p");
    assertThat(first.missingBytes()).isEqualTo(850 * MB);
    assertThat(holds(900)).isEqualTo(RefillCause.REFILLS);
    assertThat(holds(995)).as("but a hundredth").isEqualTo(RefillCause.NONE_REFILLS);
  }

  @Test
  void aContainerThatMissesCacheButReadsNothingCausesNoLimit() {
    for (int i = 0; i < 10; i++) {
      assertThat(holds(100)).isEqualTo(RefillCause.NONE_REFILLS);
    }
    long used = 100 * MB;
    for (int i = 0; i < 10; i++) {
      used += RefillLaw.MIN_GROWTH_BYTES - 1;
      assertThat(cause(BUSY, holder("p", used, 1000 * MB))).isEqualTo(RefillCause.NONE_REFILLS);
    }
  }

  @Test
  void memoryThatIsNoPageCacheIsNoRefill() {
    for (int i = 1; i < 10; i++) {
      Holder heap = new Holder("p", i * 50L * MB, 20 * MB, 1000 * MB);
      assertThat(cause(BUSY, heap)).isEqualTo(RefillCause.NONE_REFILLS);
    }
  }

  @Test
  void aReaderThatStopsIsWaitedForThreeSecondsOnly() {
    holds(100);
    assertThat(holds(150)).isEqualTo(RefillCause.REFILLS);
    for (int i = 0; i < 3; i++) {
      assertThat(holds(150)).isEqualTo(RefillCause.REFILLS);
    }
    assertThat(holds(150)).isEqualTo(RefillCause.NONE_REFILLS);
    assertThat(holds(200)).as("the same turn").isEqualTo(RefillCause.REFILLS);
  }

  /** Reads 1 MB/s and is looked at ten times a second. */
  @Test
  void aSlowReaderRefillsHoweverOftenItIsLookedAt() {
    long used = 100 * MB;
    RefillCause cause = RefillCause.NO_RIGHT;
    for (int i = 0; i < 20; i++) {
      used += 100_000;
      cause = tenth(used);
    }
    assertThat(cause).isEqualTo(RefillCause.REFILLS);
    for (int i = 0; i < 31; i++) {
      cause = tenth(used);
    }
    assertThat(cause).as("it stopped").isEqualTo(RefillCause.NONE_REFILLS);
  }

  /** Its cache grows by less than 256 KiB a second. */
  @Test
  void whoReadsNowAndThenDoesNotRefillHoweverOftenItIsLookedAt() {
    for (int i = 0; i < 100; i++) {
      assertThat(tenth(100 * MB + i * 25_000L)).isEqualTo(RefillCause.NONE_REFILLS);
    }
  }

  /** Decides a tenth of a second later. */
  private RefillCause tenth(long used) {
    nanos += SECOND / 10;
    return law.decide(nanos, Optional.of(List.of(holder("p", used, 1000 * MB))), BUSY).cause();
  }

  /** 900 MB are missing: at 25 MB/s that takes 36 s. */
  @Test
  void timeEndsAtAQuarterOfTheSpeedAndTheNextTurnIsAMinuteLater() {
    long used = 99 * MB;
    holds(99);
    int limited = 0;
    int free = 0;
    RefillCause cause = cause(BUSY, holder("p", used += MB, 1000 * MB));
    while (cause == RefillCause.REFILLS) {
      limited++;
      cause = cause(BUSY, holder("p", used += MB, 1000 * MB));
    }
    while (cause == RefillCause.TIME_IS_UP) {
      free++;
      cause = cause(BUSY, holder("p", used += MB, 1000 * MB));
    }
    assertThat(limited).isEqualTo(36);
    assertThat(free).isEqualTo(60);
    assertThat(cause).isEqualTo(RefillCause.REFILLS);
  }

  @Test
  void aRefilledContainerThatLosesItsCacheAgainWaitsForAMinuteToo() {
    holds(100);
    assertThat(holds(200)).isEqualTo(RefillCause.REFILLS);
    assertThat(holds(1000)).isEqualTo(RefillCause.NONE_REFILLS);
    assertThat(holds(100).limits()).isFalse();
    assertThat(holds(200)).isEqualTo(RefillCause.TIME_IS_UP);
    nanos += 60 * SECOND;
    holds(200);
    assertThat(holds(300)).isEqualTo(RefillCause.REFILLS);
  }

  @Test
  void eachHasATurnOfHisOwn() {
    second(BUSY, holder("p", 100 * MB, 200 * MB));
    assertThat(cause(BUSY, holder("p", 120 * MB, 200 * MB))).isEqualTo(RefillCause.REFILLS);
    for (int i = 0; i < 5; i++) {
      second(BUSY, holder("p", (120 + i) * MB, 200 * MB));
    }
    Holder done = holder("p", 125 * MB, 200 * MB);
    assertThat(cause(BUSY, done, holder("q", 10 * MB, 500 * MB))).isEqualTo(RefillCause.TIME_IS_UP);
    RefillDecision other = second(BUSY, done, holder("q", 60 * MB, 500 * MB));
    assertThat(other.refilling()).containsExactly("q");
    assertThat(other.missingBytes()).isEqualTo(440 * MB);
  }

  @Test
  void entitlementsOfUnknownSizeLimitNothing() {
    for (int i = 1; i < 5; i++) {
      assertThat(
              cause(BUSY, holder("none", i * 50L * MB, 0), holder("all", i * 50L * MB, Holder.ALL)))
          .isEqualTo(RefillCause.NO_RIGHT);
    }
    assertThat(cause(BUSY)).isEqualTo(RefillCause.NO_RIGHT);
  }

  @Test
  void aDiskThatIsNotBusyOrOfUnknownSpeedIsNotLimited() {
    List<Disk> idle = List.of(new Disk("254:0", "vda", OptionalLong.of(SPEED), false));
    List<Disk> unknown = List.of(new Disk("254:0", "vda", OptionalLong.empty(), true));
    for (List<Disk> disks : List.of(idle, unknown, List.<Disk>of())) {
      second(disks, holder("p", 100 * MB, 1000 * MB));
      assertThat(cause(disks, holder("p", 200 * MB, 1000 * MB))).isEqualTo(RefillCause.DISK_IDLE);
    }
  }

  /** 800 MB are missing, which takes 16 s page by page, however fast the disk streams. */
  @Test
  void aFastDiskGivesSinglePagesNoFaster() {
    List<Disk> fast = List.of(disk("nvme0n1", 5000 * MB));
    long used = 200 * MB;
    second(fast, holder("p", used, 1000 * MB));
    int limited = 0;
    while (cause(fast, holder("p", used += MB, 1000 * MB)) == RefillCause.REFILLS) {
      limited++;
    }
    assertThat(limited).isEqualTo(17);
  }

  @Test
  void eightMissingMegabytesAreTolerated() {
    for (int i = 0; i < 4; i++) {
      assertThat(cause(BUSY, holder("p", (22 + i) * MB, 30 * MB)))
          .isEqualTo(RefillCause.NONE_REFILLS);
    }
  }

  /** Production may be waiting for the slow one: 900 MB at 2.5 MB/s take more than 5 minutes. */
  @Test
  void ofSeveralDisksTheSlowestThatIsBusyCounts() {
    List<Disk> disks =
        List.of(
            disk("nvme0n1", 5000 * MB),
            disk("sda", 10 * MB),
            new Disk("8:16", "sdb", OptionalLong.of(MB), false));
    long used = 100 * MB;
    second(disks, holder("p", used, 1000 * MB));
    int limited = 0;
    while (cause(disks, holder("p", used += MB, 1000 * MB)) == RefillCause.REFILLS) {
      limited++;
    }
    assertThat(limited).isEqualTo(300);
  }

  /** An entitlement of 100 GB, which takes seventeen minutes to fill at 100 MB/s. */
  @Test
  void endlessStreamingLimitsForHalfOfTheTimeAtMost() {
    assertThat(limitedSeconds(1, 3600)).isBetween(300, 1800 + 300);
  }

  @Test
  void norDoManyThatAlternate() {
    assertThat(limitedSeconds(20, 3600)).isBetween(300, 1800 + 300);
  }

  /** Each streams 1 MB a second into an entitlement of 100 GB, and restarts every ten minutes. */
  private int limitedSeconds(int number, int seconds) {
    int limited = 0;
    int longest = 0;
    int now = 0;
    for (int i = 0; i < seconds; i++) {
      Holder[] all = new Holder[number];
      for (int p = 0; p < number; p++) {
        // A new container every ten minutes, which has had no turn yet.
        String name = "p" + p + "-" + (i + 30 * p) / 600;
        all[p] = holder(name, (10 + (i + 30 * p) % 600) * MB, 100_000 * MB);
      }
      if (cause(BUSY, all) == RefillCause.REFILLS) {
        limited++;
        longest = Math.max(longest, ++now);
      } else {
        now = 0;
      }
    }
    assertThat(longest).isLessThanOrEqualTo(301);
    return limited;
  }

  @Test
  void anUnreadableSampleSetsNoLimitAndNoNewTurn() {
    holds(100);
    assertThat(holds(150)).isEqualTo(RefillCause.REFILLS);
    nanos += SECOND;
    assertThat(law.decide(nanos, Optional.empty(), BUSY).cause()).isEqualTo(RefillCause.UNSEEN);
    for (int i = 0; i < 34; i++) {
      holds(200 + i);
    }
    assertThat(holds(240)).isEqualTo(RefillCause.TIME_IS_UP);
  }

  /** As while no best-effort container runs. */
  @Test
  void growthWhileNobodyLookedIsNoRefill() {
    holds(100);
    for (int i = 0; i < 20; i++) {
      nanos += SECOND;
      assertThat(law.decide(nanos, Optional.empty(), BUSY).cause()).isEqualTo(RefillCause.UNSEEN);
    }
    assertThat(holds(150)).isEqualTo(RefillCause.NONE_REFILLS);
    assertThat(holds(200)).isEqualTo(RefillCause.REFILLS);
  }

  @ParameterizedTest
  @ValueSource(longs = {3600, -3600, Long.MIN_VALUE / SECOND, Long.MAX_VALUE / SECOND})
  void aClockThatJumpsEndsALimit(long seconds) {
    holds(100);
    assertThat(holds(150)).isEqualTo(RefillCause.REFILLS);
    nanos += seconds * SECOND;
    assertThat(holds(800).limits()).as("growth that nobody saw").isFalse();
    assertThat(holds(801)).isIn(RefillCause.REFILLS, RefillCause.TIME_IS_UP);
  }

  @Test
  void aLookAtTheSameInstantHarmsNothing() {
    holds(100);
    nanos -= SECOND;
    assertThat(holds(150)).isEqualTo(RefillCause.REFILLS);
    nanos -= SECOND;
    assertThat(holds(150)).isEqualTo(RefillCause.REFILLS);
  }

  /** For any input: at most five minutes without interruption, and half of the time. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void theBoundsHoldForAnyInput(long seed) {
    Random random = new Random(seed);
    long limited = 0;
    long onEnd = 0;
    long start = nanos;
    List<Disk> disks = BUSY;
    for (int i = 0; i < 20_000; i++) {
      long elapsed = 1 + (long) (random.nextDouble() * 2 * SECOND);
      nanos += elapsed;
      if (random.nextInt(50) == 0) {
        disks = List.of(disk("vda", 1 + random.nextLong(SPEED)));
      }
      List<Holder> holders = new ArrayList<>();
      for (int p = random.nextInt(4); p >= 0; p--) {
        holders.add(
            holder("p" + p, random.nextLong(900) * MB, random.nextBoolean() ? 1000 * MB : MB));
      }
      boolean limits =
          law.decide(
                  nanos, random.nextInt(20) == 0 ? Optional.empty() : Optional.of(holders), disks)
              .cause()
              .limits();
      limited += limits ? 1 : 0;
      onEnd = limits ? onEnd + elapsed : 0;
      assertThat(onEnd).isLessThanOrEqualTo(304 * SECOND);
    }
    assertThat(limited).as("of 20,000 looks").isPositive().isLessThan(10_000 + 400);
    assertThat(nanos - start).isPositive();
  }
}
