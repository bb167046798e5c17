/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.cpuset.CorePlacement;
import io.charon.core.cpuset.Cores;
import io.charon.core.cpuset.Topology;
import io.charon.core.cpuset.Topology.PhysicalCore;
import io.charon.core.mechanism.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** A node with the cores 0 to 7, sampled each second; a window of 5 s, headroom of half a core. */
class CoresRegulatorTest {
  private static final long SECOND = 1_000_000_000L;

  private String usable = "0-7";
  private Optional<String> pinned = Optional.of("");
  private final Map<Integer, Double> busy = new HashMap<>();
  private long nanos = -3 * SECOND;
  private Topology topology = Topology.unknown();
  private CoresRegulator regulator = regulator(true, 1);

  private static CoresRegulator regulator(boolean followLoad, int minimum) {
    return new CoresRegulator(new CoresSettings(followLoad, minimum, 0.5, Duration.ofSeconds(5)));
  }

  private Decision after(long elapsed, Double load) {
    nanos += elapsed;
    return regulator.decide(
        new CoresObservation(
            new Observation(
                nanos,
                load == null ? OptionalDouble.empty() : OptionalDouble.of(load),
                Cores.parse(usable).count()),
            Cores.parse(usable),
            pinned.map(Cores::parse),
            busy,
            topology));
  }

  private Decision next(Double load) {
    return after(SECOND, load);
  }

  private static String cores(Decision decision) {
    return decision.cores().orElseThrow().chosen().toString();
  }

  @Test
  void bestEffortRunsOnCoresWithoutPinnedContainers() {
    regulator = regulator(false, 1);
    Decision first = next(0.0);
    assertThat(cores(first)).isEqualTo("0-7");
    assertThat(first.limit()).isEqualTo(8);
    assertThat(first.cause()).isEqualTo(Cause.UNPINNED);

    pinned = Optional.of("2-4");
    Decision second = next(3.0);
    assertThat(cores(second)).isEqualTo("0-1,5-7");
    assertThat(second.change()).isEqualTo(Change.TIGHTEN);
    assertThat(second.reason())
        .isEqualTo(
            "best-effort runs on the cores that no foreground is pinned to; measured 3.00000;"
                + " cores 0-1,5-7 of 0-7, pinned 2-4");
    assertThat(next(3.0).change()).isEqualTo(Change.KEEP);

    pinned = Optional.of("3");
    assertThat(next(3.0).change()).isEqualTo(Change.WIDEN);
    pinned = Optional.of("7");
    Decision moved = next(3.0);
    assertThat(cores(moved)).isEqualTo("0-6");
    assertThat(moved.change()).as("a core is lost").isEqualTo(Change.TIGHTEN);
  }

  @Test
  void whereAllIsPinnedItKeepsItsMinimumAndSaysSo() {
    regulator = regulator(false, 2);
    pinned = Optional.of("0-7");
    busy.put(0, 1.0);
    busy.put(3, 0.9);
    Decision all = next(8.0);
    assertThat(cores(all)).as("the idlest").isEqualTo("1-2");
    assertThat(all.cause()).isEqualTo(Cause.ALL_PINNED);
    assertThat(all.reason())
        .contains("foreground is pinned to all other cores")
        .contains("pinned 0-7");

    busy.put(1, 1.0);
    busy.put(2, 1.0);
    assertThat(cores(next(8.0))).as("it keeps what it has").isEqualTo("1-2");
    pinned = Optional.of("0-6");
    assertThat(cores(next(8.0))).as("the free one comes first").isEqualTo("1,7");
    pinned = Optional.of("0-4");
    assertThat(cores(next(8.0))).isEqualTo("5-7");
  }

  @Test
  void aMinimumOfMoreThanThereIsMeansAll() {
    regulator = regulator(true, 64);
    assertThat(cores(next(8.0))).isEqualTo("0-7");
  }

  @Test
  void itKeepsItsCoresWhilePinnedContainersAreUnknown() {
    regulator = regulator(false, 1);
    pinned = Optional.empty();
    Decision unknown = next(0.0);
    assertThat(unknown.cause()).isEqualTo(Cause.NO_SAMPLE);
    assertThat(cores(unknown)).isEqualTo("0");

    pinned = Optional.of("0-3");
    assertThat(cores(next(0.0))).isEqualTo("4-7");
    pinned = Optional.empty();
    assertThat(cores(next(null))).isEqualTo("4-7");
    usable = "0-3,5-6"; // two went offline
    assertThat(cores(next(null))).isEqualTo("5-6");
    usable = "";
    assertThat(cores(next(null))).as("cores cannot be read").isEqualTo("5-6");
    usable = "0-7";
    assertThat(cores(next(null))).as("no growth in the dark").isEqualTo("5-6");
  }

  /** The first sample only opens the window; 5 more fill it. */
  @Test
  void theMinimumUntilTheFirstWindowIsFull() {
    for (int i = 0; i < 5; i++) {
      Decision learning = next(2.0);
      assertThat(learning.cause()).isEqualTo(Cause.LEARNING);
      assertThat(cores(learning)).isEqualTo("0");
    }
    Decision full = next(2.0);
    assertThat(full.cause()).isEqualTo(Cause.FOLLOWING);
    // room = 8 - 2 - 0.5 = 5.5; floor(5.5 - 0.5) = 5.
    assertThat(cores(full)).isEqualTo("0-4");
    assertThat(full.change()).isEqualTo(Change.WIDEN);
    assertThat(full.cores().orElseThrow().meanLoad()).hasValue(2);
    assertThat(full.reason()).contains("measured 2.00000, mean 2.00000; cores 0-4 of 0-7");
  }

  private void learn(double load) {
    for (int i = 0; i < 6; i++) {
      next(load);
    }
  }

  @Test
  void itFallsByTheMeanAndGrowsHalfACoreLater() {
    learn(2);
    // Mean of 2, 2, 2, 2, 4 is 2.4: room 5.1, 5 cores stay. Of 2, 2, 2, 4, 4: 2.8, room 4.7.
    assertThat(cores(next(4.0))).isEqualTo("0-4");
    Decision fallen = next(4.0);
    assertThat(cores(fallen)).as("the highest goes").isEqualTo("0-3");
    assertThat(fallen.change()).isEqualTo(Change.TIGHTEN);
    // 2, 2, 4, 4, 0.5: mean 2.5, room 5: there is room for 5, but not for half a core more.
    assertThat(cores(next(0.5))).isEqualTo("0-3");
    // 2, 4, 4, 0.5, 0.5: mean 2.2, room 5.3. 4, 4, 0.5, 0.5, 0.5: mean 1.9, room 5.6.
    assertThat(cores(next(0.5))).isEqualTo("0-3");
    assertThat(cores(next(0.5))).isEqualTo("0-4");
  }

  @Test
  void aLoadAboveAllLeavesTheMinimum() {
    learn(2);
    Decision last = null;
    for (int i = 0; i < 5; i++) {
      last = next(7.9);
    }
    assertThat(cores(last)).isEqualTo("0");
    assertThat(last.cause()).isEqualTo(Cause.FOLLOWING);
  }

  @Test
  void theBusiestGoesFirstAndTheIdlestComesFirst() {
    learn(5.5); // room 2, less half a core of hysteresis: 1
    assertThat(cores(next(5.5))).isEqualTo("0");
    busy.put(1, 0.9);
    busy.put(2, 0.04); // as idle as 3
    // Five of 3: room 4.5, so 4 cores; 1 is busy.
    Decision grown = null;
    for (int i = 0; i < 5; i++) {
      grown = next(3.0);
    }
    assertThat(cores(grown)).isEqualTo("0,2-4");
    busy.put(0, 0.8);
    busy.put(2, 0.3);
    Decision shrunk = null;
    for (int i = 0; i < 5; i++) {
      shrunk = next(5.0);
    }
    assertThat(cores(shrunk)).as("room 2.5").isEqualTo("3-4");
  }

  @Test
  void pinnedCoresAreNotGivenForLoad() {
    pinned = Optional.of("0-3");
    learn(1); // on the 4 others: room 2.5
    assertThat(cores(next(1.0))).isEqualTo("4-5");
    pinned = Optional.of("4-5");
    assertThat(cores(next(1.0))).as("6 are free, room 4.5").isEqualTo("0-3");
  }

  @Test
  void aMissingSampleChangesNothingAndALostWindowIsLearnedAnew() {
    learn(2);
    Decision missing = next(null);
    assertThat(missing.cause()).isEqualTo(Cause.NO_SAMPLE);
    assertThat(cores(missing)).isEqualTo("0-4");
    // The sample represents two of six seconds: 2, 2, 2, 2 and twice 6; mean 3.33, room 4.17.
    assertThat(cores(next(6.0))).isEqualTo("0-3");

    Decision interrupted = after(4 * SECOND, 0.0);
    assertThat(interrupted.cause()).isEqualTo(Cause.LEARNING);
    assertThat(cores(interrupted)).isEqualTo("0-3");
    assertThat(cores(next(7.0))).as("it falls by what is known").isEqualTo("0");
    assertThat(cores(next(0.0))).as("and does not grow").isEqualTo("0");

    assertThat(cores(after(6 * SECOND, null))).isEqualTo("0");
    assertThat(next(0.0).cause()).isEqualTo(Cause.LEARNING);
  }

  @Test
  void afterAWindowWithoutASampleTheMinimumIsLeft() {
    learn(2);
    Decision lost = after(6 * SECOND, null);
    assertThat(lost.cause()).isEqualTo(Cause.LEARNING);
    assertThat(cores(lost)).isEqualTo("0");
    assertThat(lost.change()).isEqualTo(Change.TIGHTEN);
  }

  @Test
  void aClockThatGoesBackMovesNoCore() {
    learn(2);
    assertThat(cores(after(-100 * SECOND, null))).isEqualTo("0-4");
    assertThat(cores(next(2.0))).isEqualTo("0-4");
  }

  /** 2.8 of 8 cores stay free, so that 5 remain without load, less half a core of hysteresis. */
  private void below65Percent() {
    regulator =
        new CoresRegulator(
            new CoresSettings(
                true,
                1,
                0.5,
                Duration.ofSeconds(5),
                Optional.of(new WaterLine(65)),
                CorePlacement.SPREAD));
  }

  @Test
  void belowAWaterLineItGrowsByOneCoreASecond() {
    below65Percent();
    learn(0);
    assertThat(cores(next(0.0))).isEqualTo("0-2");
    assertThat(cores(after(SECOND / 2, 0.0))).as("half a second later").isEqualTo("0-2");
    assertThat(cores(after(SECOND / 2, 0.0))).isEqualTo("0-3");
    assertThat(cores(next(0.0))).as("room 5.2, of which half a core is kept").isEqualTo("0-3");
    assertThat(next(0.0).reason()).contains("mean 0.00000; water line 65 %; cores 0-3 of 0-7");
  }

  @Test
  void belowAWaterLineCoresAreTakenByTheLoadOfTheMomentAndReturnByTheMean() {
    below65Percent();
    learn(0);
    for (int i = 0; i < 3; i++) {
      next(0.0);
    }
    Decision taken = next(3.0); // the mean is 0.6; room is 5.2 - 3
    assertThat(cores(taken)).isEqualTo("0-1");
    assertThat(taken.change()).isEqualTo(Change.TIGHTEN);
    assertThat(cores(next(0.0))).as("room 4.6").isEqualTo("0-2");
    assertThat(cores(next(0.0))).isEqualTo("0-3");
  }

  @Test
  void belowAWaterLineWhatWasSeenOfAnInterruptionIsTakenAtOnce() {
    below65Percent();
    learn(0);
    next(0.0);
    assertThat(cores(after(4 * SECOND, 4.0))).as("room 1.2").isEqualTo("0");
  }

  @Test
  void aHeadroomOfMoreThanIsAboveTheLineCounts() {
    regulator =
        new CoresRegulator(
            new CoresSettings(
                true,
                1,
                6,
                Duration.ofSeconds(5),
                Optional.of(new WaterLine(65)),
                CorePlacement.SPREAD));
    learn(0);
    next(0.0);
    assertThat(cores(next(0.0))).as("room 2, of which half a core is kept").isEqualTo("0");
  }

  @Test
  void aWaterLineAppliesToCoresWithoutPinnedContainers() {
    below65Percent();
    pinned = Optional.of("0-3");
    learn(0);
    next(0.0);
    assertThat(cores(next(0.0))).as("65 % of 4, of which half a core is kept").isEqualTo("4-5");
  }

  @Test
  void withoutFollowingTheLoadAWaterLineChangesNothing() {
    regulator =
        new CoresRegulator(
            new CoresSettings(
                false,
                1,
                0.5,
                Duration.ofSeconds(5),
                Optional.of(new WaterLine(65)),
                CorePlacement.SPREAD));
    Decision decision = next(7.0);
    assertThat(cores(decision)).isEqualTo("0-7");
    assertThat(decision.reason()).doesNotContain("water line");
  }

  /** Four physical cores: 0 and 4, 1 and 5, 2 and 6, 3 and 7. */
  private void twoThreadsToACore() {
    List<PhysicalCore> all = new ArrayList<>();
    for (int core = 0; core < 4; core++) {
      all.add(new PhysicalCore(Cores.of(List.of(core, core + 4)), Cores.parse("0-7"), 0));
    }
    topology = new Topology(all);
  }

  @Test
  void wholePhysicalCoresAreGivenAndTakenBack() {
    twoThreadsToACore();
    assertThat(cores(next(2.0))).as("the least is a core").isEqualTo("0,4");
    learn(2); // room 5.5, less half a core of hysteresis: 5, which is two physical cores
    assertThat(cores(next(2.0))).isEqualTo("0-1,4-5");
    Decision taken = null;
    for (int i = 0; i < 5; i++) {
      taken = next(4.0); // room 3.5
    }
    assertThat(cores(taken)).isEqualTo("0,4");
    assertThat(taken.limit()).isEqualTo(2);
    assertThat(taken.reason())
        .endsWith("of 0-7, none pinned; physical cores 1, last-level caches 1, NUMA nodes 1");
  }

  @Test
  void aThreadBesideAPinnedOneIsTakenLast() {
    regulator = regulator(false, 1);
    twoThreadsToACore();
    pinned = Optional.of("1");
    assertThat(cores(next(1.0))).as("all that nobody is pinned to").isEqualTo("0,2-7");
    regulator = regulator(true, 1);
    learn(0); // room is 6.5 of 7 free ones: 6, which is three whole cores
    assertThat(cores(next(0.0))).isEqualTo("0,2-4,6-7");
  }

  @Test
  void aStepBelowAWaterLineIsAWholeCore() {
    below65Percent();
    twoThreadsToACore();
    learn(0);
    assertThat(cores(next(0.0))).isEqualTo("0-1,4-5");
  }

  @Test
  void settingsHaveRanges() {
    assertThatThrownBy(() -> new CoresSettings(true, 0, 0, Duration.ofSeconds(1)))
        .hasMessageContaining("minimum");
    assertThatThrownBy(() -> new CoresSettings(true, 1, -1, Duration.ofSeconds(1)))
        .hasMessageContaining("headroomCores");
    assertThatThrownBy(() -> new CoresSettings(true, 1, Double.NaN, Duration.ofSeconds(1)))
        .hasMessageContaining("headroomCores");
    assertThatThrownBy(() -> new CoresSettings(true, 1, 0, Duration.ZERO))
        .hasMessageContaining("window");
  }
}
