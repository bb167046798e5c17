/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.memorylimit.Reserve.Bound;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests entitlements, the reserve, and the claims of starting containers. */
class EntitlementTest {
  private static final long MB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;

  @ParameterizedTest
  @CsvSource({
    // used, clean, right, kept, excess, owed
    "100, 80, 210, 100, 0, 110",
    "300, 290, 210, 210, 90, 0",
    "300, 10, 210, 290, 10, 0",
    "300, 0, 210, 300, 0, 0",
    "300, 290, 0, 10, 290, 0"
  })
  void aHolderKeepsItsCacheUpToItsRight(
      long used, long clean, long right, long kept, long excess, long owed) {
    Holder holder = new Holder("h", used, clean, right);
    assertThat(holder.keptBytes()).isEqualTo(kept);
    assertThat(holder.excessBytes()).isEqualTo(excess);
    assertThat(holder.owedBytes()).isEqualTo(owed);
  }

  @Property
  void whatIsKeptIsWhatCannotBeDroppedAndCacheUpToTheRight(
      @ForAll @LongRange(max = 1L << 40) long used,
      @ForAll @LongRange(max = 1L << 40) long clean,
      @ForAll @LongRange(max = 1L << 40) long right) {
    Holder holder = new Holder("h", used, clean, right);
    long unreclaimable = holder.unreclaimableBytes();
    assertThat(holder.keptBytes())
        .isEqualTo(
            unreclaimable + Math.min(holder.cleanCacheBytes(), Math.max(0, right - unreclaimable)));
  }

  @Test
  void aServiceWithTheRightToAllKeepsAll() {
    Holder service = new Holder("db", 300, 290, Holder.ALL);
    assertThat(service.excessBytes()).isZero();
    assertThat(service.owedBytes()).isZero();
  }

  @Test
  void theRestOfTheMachineKeepsCacheUpToItsShare() {
    SlowSample sample =
        new SlowSample(
            1000, 500, 420, List.of(new Holder("p", 200, 150, 300)), 50, 0); // the rest uses 300
    assertThat(sample.allHolders())
        .last()
        .isEqualTo(new Holder("the rest of the machine", 300, 270, 80));
    assertThat(sample.excessBytes()).isEqualTo(220);
    assertThat(sample.keptBytes()).isEqualTo(280);
    assertThat(sample.owedBytes()).isEqualTo(100);
  }

  /** A service outside a container has no configured entitlement: its mapped cache is in use. */
  @Test
  void theRestOfTheMachineKeepsWhatItHasMapped() {
    SlowSample sample =
        new SlowSample(1000, 500, 420, List.of(new Holder("p", 200, 150, 300)), 50, 200);
    assertThat(sample.excessBytes()).isEqualTo(20);
    assertThat(new SlowSample(1000, 500, 420, List.of(), 50, 900).excessBytes()).isZero();
  }

  @Test
  void readingsThatDoNotMatchGiveNothingNegative() {
    SlowSample sample = new SlowSample(1000, 100, 10, List.of(new Holder("p", 300, 250, 20)), 0, 0);
    assertThat(sample.excessBytes()).isEqualTo(100);
    assertThat(sample.keptBytes()).isZero();
    assertThatThrownBy(() -> new Holder("p", -1, 0, 0)).hasMessageContaining("p: bytes");
  }

  @ParameterizedTest
  @CsvSource({
    // boundary, growth, others, normal, reserve, bound
    "400, 0, 0, -1, 16, MIN",
    "16000, 0, 0, -1, 320, SHARE",
    "16000, 400, 0, -1, 800, GROWTH",
    "16000, 2000, 0, -1, 1600, GROWTH",
    "16000, 0, 5000, 6000, 1000, NORMAL_USE",
    "16000, 0, 5000, 5100, 320, SHARE"
  })
  void theStrictestReserveWins(
      long boundary, long growth, long others, long normal, long bytes, Bound bound) {
    Reserve reserve =
        Reserve.of(
            boundary * MB,
            growth * MB,
            others * MB,
            normal < 0 ? OptionalLong.empty() : OptionalLong.of(normal * MB));
    assertThat(reserve.bytes() / MB).isEqualTo(bytes);
    assertThat(reserve.bound()).isEqualTo(bound);
  }

  @Test
  void withASlowLookOnlyATenthStaysFree() {
    assertThat(Reserve.forSlowSamples(16000 * MB).bytes() / MB).isEqualTo(1600);
  }

  @Test
  void theLargestGrowthCountsForTenMinutesAndOneGigabyteASecondAtFirst() {
    GrowthWindow window = new GrowthWindow(0, Duration.ofMillis(20));
    assertThat(window.largestBytes(0)).isEqualTo(20_000_000);
    window.add(SECOND, 7 * MB);
    window.add(2 * SECOND, 3 * MB);
    window.add(3 * SECOND, -5 * MB);
    assertThat(window.largestBytes(600 * SECOND)).isEqualTo(20_000_000);
    assertThat(window.largestBytes(601 * SECOND)).isEqualTo(7 * MB);
    assertThat(window.largestBytes(602 * SECOND)).isEqualTo(3 * MB);
    assertThat(window.largestBytes(603 * SECOND)).isZero();
    assertThat(window.largestBytes(700 * SECOND)).isZero();
  }

  @Test
  void aNewContainerClaimsItsNeedForTenSeconds() {
    List<ColdStart> starts =
        List.of(
            new ColdStart(0, 200, 50), new ColdStart(0, 10, 50), new ColdStart(-5 * SECOND, 70, 0));
    assertThat(ColdStart.claimBytes(starts, SECOND)).isEqualTo(220);
    assertThat(ColdStart.claimBytes(starts, 6 * SECOND)).isEqualTo(150);
    assertThat(ColdStart.claimBytes(starts, 10 * SECOND)).isZero();
  }

  @Test
  void launchesMayUseWhatRunningContainersLeaveBelowTheLimit() {
    assertThat(LaunchRoom.of(200 * MB, 60 * MB, 30 * MB, 50 * MB).bytes()).isEqualTo(60 * MB);
    assertThat(LaunchRoom.of(200 * MB, 190 * MB, 30 * MB, 0).bytes()).isZero();
  }
}
