/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.reclaim.ReclaimableContainers.Container;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.ReclaimCold;
import io.charon.core.mechanism.Action.ReclaimCold.Portion;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProactiveReclaimTest {
  private static final long MIB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;
  private static final long PERIOD = 6 * SECOND;
  private static final long GRAIN = 64 << 10;
  private static final List<ReclaimScope> SCOPES =
      List.of(ReclaimScope.NONE, ReclaimScope.FILES, ReclaimScope.ALL);
  private static final OptionalDouble CALM = OptionalDouble.of(0);

  private final Map<String, Container> containers = new LinkedHashMap<>();
  private long swapBytes;
  private long freeSwapBytes;
  private OptionalLong killedNanos = OptionalLong.empty();
  private long nanos = 1_000 * SECOND;
  private ProactiveReclaim reclaim = reclaim(ReclaimScope.NONE);

  private static ReclaimSettings settings(ReclaimScope production) {
    return new ReclaimSettings(
        1, Duration.ofSeconds(6), 0.1, 0.2, Duration.ofHours(1), 100 * MIB, MIB, production);
  }

  private static ProactiveReclaim reclaim(ReclaimScope production) {
    return new ProactiveReclaim(
        settings(production), Duration.ofSeconds(1), Availability.available());
  }

  /** Half of the memory is page cache, half is anonymous. */
  private void holds(String id, long mebibytes, OptionalDouble waitedPercent) {
    holds(id, false, mebibytes, 0, 0, waitedPercent);
  }

  private void holds(
      String id,
      boolean production,
      long mebibytes,
      long refaultedBytes,
      long takenBytes,
      OptionalDouble waitedPercent) {
    long half = mebibytes * MIB / 2;
    containers.put(
        id,
        new Container(
            id,
            production,
            mebibytes * MIB,
            half,
            half,
            refaultedBytes,
            takenBytes,
            waitedPercent));
  }

  private List<Portion> sample(long later) {
    nanos += later;
    List<Portion> portions = new ArrayList<>();
    for (Action action :
        reclaim.decide(
            new Snapshot(
                nanos,
                new ReclaimableContainers(
                    List.copyOf(containers.values()),
                    swapBytes,
                    freeSwapBytes,
                    new LastKill(killedNanos))))) {
      portions.addAll(((ReclaimCold) action).portions());
    }
    return portions;
  }

  private List<Portion> sample() {
    return sample(PERIOD);
  }

  /** Fills a window, so that the next sample is judged by a whole one. */
  private void watch() {
    for (int i = 0; i < ReclaimSettings.SAMPLES; i++) {
      assertThat(sample()).isEmpty();
    }
  }

  private String cause() {
    return reclaim.report().detail().orElseThrow();
  }

  @Test
  void aNewContainerIsObservedForAMinuteFirst() {
    holds("a", 1000, CALM);
    watch();
    assertThat(sample()).containsExactly(new Portion("a", false, 10 * MIB, true));
    holds("b", 1000, CALM);
    assertThat(sample()).extracting(Portion::containerId).containsExactly("a");
  }

  @Test
  void aNodeThatIsReadLessOftenThanThePeriodReclaimsAtEveryReading() {
    reclaim =
        new ProactiveReclaim(
            settings(ReclaimScope.NONE), Duration.ofSeconds(60), Availability.available());
    holds("a", 1000, CALM);
    assertThat(sample()).isEmpty();
    assertThat(sample(60 * SECOND)).containsExactly(new Portion("a", false, 10 * MIB, true));
    assertThat(sample(121 * SECOND)).as("one reading was lost, and another").isEmpty();
  }

  @Test
  void onePercentOfWhatItHoldsAndNeverMoreThanThirtyTwoMebibytes() {
    holds("large", 100_000, CALM);
    holds("small", 200, CALM);
    watch();
    assertThat(sample())
        .containsExactlyInAnyOrder(
            new Portion("large", false, 32 * MIB, true),
            new Portion("small", false, 2 * MIB, true));
  }

  @Test
  void lessInProportionToWhatItWaitsAndNothingFromATenthOfAPercentOn() {
    holds("a", 1000, OptionalDouble.of(0.05));
    watch();
    assertThat(sample()).containsExactly(new Portion("a", false, 5 * MIB, true));
    holds("a", 1000, OptionalDouble.of(0.1));
    assertThat(sample()).isEmpty();
    assertThat(cause()).isEqualTo("1 waiting for memory or for a disk");
    holds("a", 1000, OptionalDouble.of(80));
    assertThat(sample()).isEmpty();
  }

  @Test
  void whereTheKernelDoesNotSayHowLongItWaitsNothingIsTaken() {
    holds("a", 1000, OptionalDouble.empty());
    watch();
    assertThat(sample()).isEmpty();
    assertThat(cause()).isEqualTo("1 without pressure stall information or counts of refaults");
    holds("a", 1000, OptionalDouble.of(Double.NaN));
    assertThat(sample()).isEmpty();
  }

  @Test
  void whatComesBackFasterThanTwoThousandthsAMinuteEndsItForAnHour() {
    holds("a", 1000, CALM);
    watch();
    long allowed = 2 * 1000 * MIB / 1000;
    holds("a", false, 1000, allowed, 0, CALM);
    assertThat(sample()).as("just so much").isNotEmpty();
    holds("a", false, 1000, allowed + 4096, 0, CALM);
    assertThat(sample()).isEmpty();
    assertThat(cause()).isEqualTo("1 left alone because they refaulted memory");
    long since = nanos;
    int looks = 0;
    while (sample().isEmpty()) {
      assertThat(++looks).isLessThan(1000);
    }
    // The hold counts from the last sample whose window still contains the refaults.
    assertThat(nanos - since).isBetween(3600 * SECOND, 3600 * SECOND + 11 * PERIOD);
  }

  @Test
  void takesLessWhileSomeOfWhatWasTakenComesBack() {
    holds("a", 1000, CALM);
    watch();
    holds("a", false, 1000, MIB, 4 * MIB, CALM);
    assertThat(sample()).containsExactly(new Portion("a", false, 15 * MIB / 2, true));
    holds("a", false, 1000, MIB, 200 * MIB, CALM);
    assertThat(sample())
        .as("99 % stayed away")
        .extracting(Portion::bytes)
        .containsExactly(10 * MIB);
  }

  @Test
  void aClockOrACounterThatGoesBackAndLostLooksBeginAMinuteAnew() {
    holds("a", false, 1000, 5 * MIB, 0, CALM);
    watch();
    assertThat(sample()).isNotEmpty();
    assertThat(sample(-PERIOD)).isEmpty();
    assertThat(cause()).startsWith("1 not observed for long enough");
    for (int i = 1; i < ReclaimSettings.SAMPLES; i++) {
      assertThat(sample()).isEmpty();
    }
    assertThat(sample()).isNotEmpty();
    assertThat(sample(4 * PERIOD)).as("lost looks").isEmpty();
    watchAgain();
    holds("a", false, 1000, 4 * MIB, 0, CALM);
    assertThat(sample()).as("a counter that fell").isEmpty();
    assertThat(cause()).startsWith("1 not observed for long enough");
  }

  private void watchAgain() {
    for (int i = 1; i < ReclaimSettings.SAMPLES; i++) {
      assertThat(sample()).isEmpty();
    }
    assertThat(sample()).isNotEmpty();
  }

  @Test
  void aHoldDoesNotEndEarlierBecauseAClockGoesBack() {
    holds("a", 1000, CALM);
    watch();
    holds("a", false, 1000, 100 * MIB, 0, CALM);
    assertThat(sample()).isEmpty();
    assertThat(sample(-1_000_000 * SECOND)).isEmpty();
    for (int i = 0; i < 500; i++) {
      assertThat(sample()).as("%d looks", i).isEmpty();
    }
  }

  @Test
  void anEndedContainerIsForgottenAndASmallOneIsLeftAlone() {
    holds("a", 1000, CALM);
    holds("b", 99, CALM);
    watch();
    assertThat(sample()).extracting(Portion::containerId).containsExactly("a");
    assertThat(cause()).isEqualTo("1 small, 1 partly cold");
    containers.remove("a");
    assertThat(sample()).isEmpty();
    holds("a", 1000, CALM);
    assertThat(sample()).as("one of the same name is new").isEmpty();
  }

  @Test
  void nothingForAMinuteAfterAKill() {
    holds("a", 1000, CALM);
    watch();
    killedNanos = OptionalLong.of(nanos);
    assertThat(sample()).isEmpty();
    assertThat(reclaim.report().cause().orElseThrow()).contains("killed within the last minute");
    sample(54 * SECOND / 9);
    for (int i = 0; i < 8; i++) {
      sample();
    }
    assertThat(nanos - killedNanos.getAsLong()).isEqualTo(60 * SECOND);
    assertThat(sample()).isNotEmpty();
  }

  @Test
  void productionOnlyIfTheOperatorSaysSo() {
    swapBytes = 1000 * MIB;
    freeSwapBytes = swapBytes;
    holds("p", true, 1000, 0, 0, CALM);
    watch();
    assertThat(sample()).isEmpty();
    reclaim = reclaim(ReclaimScope.FILES);
    watch();
    assertThat(sample()).containsExactly(new Portion("p", true, 10 * MIB, true));
    reclaim = reclaim(ReclaimScope.ALL);
    watch();
    assertThat(sample()).containsExactly(new Portion("p", true, 6 * MIB, false));
  }

  @Test
  void toSwapGoesSoMuchASecondAndEachContainerHasItsTurn() {
    swapBytes = 1000 * MIB;
    freeSwapBytes = 200 * MIB;
    holds("a", 1000, CALM);
    holds("b", 1000, CALM);
    watch();
    List<Portion> first = sample();
    List<Portion> second = sample();
    for (List<Portion> portions : List.of(first, second)) {
      assertThat(portions.stream().filter(p -> !p.filesOnly()).mapToLong(Portion::bytes).sum())
          .isEqualTo(6 * MIB);
    }
    assertThat(swapper(first)).isNotEqualTo(swapper(second));
    freeSwapBytes = 200 * MIB - 1;
    assertThat(sample()).as("swap is four fifths full").allMatch(Portion::filesOnly);
    swapBytes = 0;
    freeSwapBytes = 0;
    assertThat(sample()).as("no swap").hasSize(2).allMatch(Portion::filesOnly);
  }

  private static String swapper(List<Portion> portions) {
    return portions.stream()
        .filter(portion -> !portion.filesOnly())
        .map(Portion::containerId)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void neverMoreThanHalfOfWhatCouldGo() {
    containers.put("locked", new Container("locked", false, 1000 * MIB, MIB, 0, 0, 0, CALM));
    containers.put("none", new Container("none", false, 1000 * MIB, 0, 900 * MIB, 0, 0, CALM));
    watch();
    assertThat(sample()).containsExactly(new Portion("locked", false, MIB / 2, true));
  }

  @Test
  void bestEffortAndProductionAreActionsOfTheirOwn() {
    reclaim = reclaim(ReclaimScope.FILES);
    holds("b", 1000, CALM);
    holds("p", true, 2000, 0, 0, CALM);
    watch();
    nanos += PERIOD;
    List<Action> actions =
        reclaim.decide(
            new Snapshot(
                nanos,
                new ReclaimableContainers(
                    List.copyOf(containers.values()), 0, 0, new LastKill(killedNanos))));
    assertThat(actions).extracting(Action::target).containsExactly("best-effort", "production");
    assertThat(actions.get(1).basis().inputs())
        .containsEntry("containers", 1.0)
        .containsEntry("p", 20.0 * MIB);
    assertThat(actions.get(0).basis().reason()).startsWith("10.0 MiB of 1 containers");
  }

  /** For any reading, requests are bounded by available memory; waiting containers are skipped. */
  @Test
  void isBoundedWhateverIsRead() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      reclaim = reclaim(SCOPES.get(random.nextInt(3)));
      for (int i = 0; i < 60; i++) {
        containers.clear();
        for (int c = 0; c < 5; c++) {
          long bytes = Math.abs(random.nextLong() % (64L << 30));
          containers.put(
              "c" + c,
              new Container(
                  "c" + c,
                  c % 2 == 0,
                  bytes,
                  Math.abs(random.nextLong() % (bytes + 1)),
                  Math.abs(random.nextLong() % (bytes + 1)),
                  random.nextInt(100) * MIB,
                  random.nextInt(100) * MIB,
                  random.nextBoolean() ? CALM : OptionalDouble.of(random.nextDouble())));
        }
        swapBytes = random.nextInt(3) * (1000 * MIB);
        freeSwapBytes = random.nextInt(1001) * MIB;
        List<Portion> portions = sample(random.nextInt(20) == 0 ? -PERIOD : PERIOD);
        assertThat(portions).extracting(Portion::containerId).doesNotHaveDuplicates();
        for (Portion portion : portions) {
          Container of = containers.get(portion.containerId());
          assertThat(portion.bytes()).isBetween(GRAIN, ProactiveReclaim.LARGEST_PORTION_BYTES);
          assertThat((double) portion.bytes()).isLessThanOrEqualTo(of.bytes() / 100.0);
          assertThat(of.waitedPercent().orElseThrow()).isLessThan(0.1);
          assertThat(2 * portion.bytes())
              .isLessThanOrEqualTo(
                  of.cleanBytes() + (portion.filesOnly() ? 0 : of.anonymousBytes()));
        }
        assertThat(portions.stream().filter(p -> !p.filesOnly()).mapToLong(Portion::bytes).sum())
            .isLessThanOrEqualTo(6 * MIB);
      }
    }
  }

  @Test
  void numbersThatAreNoneAreRefused() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new ReclaimSettings(0, second, 1, 1, second, 0, 0, ReclaimScope.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.0 %");
    assertThatThrownBy(
            () -> new ReclaimSettings(1, Duration.ZERO, 1, 1, second, 0, 0, ReclaimScope.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new ReclaimSettings(1, second, 1, Double.NaN, second, 0, 0, ReclaimScope.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
