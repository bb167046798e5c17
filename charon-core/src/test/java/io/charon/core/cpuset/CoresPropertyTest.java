/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.cpuset;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.Cause;
import io.charon.core.law.CoreChoice;
import io.charon.core.law.CoresObservation;
import io.charon.core.law.CoresRegulator;
import io.charon.core.law.CoresSettings;
import io.charon.core.law.Decision;
import io.charon.core.law.Observation;
import io.charon.core.law.WaterLine;
import io.charon.core.mechanism.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;

/** Properties for every series, wherever the clock starts and however it jumps. */
class CoresPropertyTest {
  private static final Duration WINDOW = Duration.ofSeconds(6);
  private static final double HEADROOM = 0.5;

  @Provide
  Arbitrary<List<CoresObservation>> series() {
    Arbitrary<OptionalDouble> load =
        Arbitraries.frequencyOf(
            Tuple.of(9, Arbitraries.doubles().between(0, 9).map(OptionalDouble::of)),
            Tuple.of(1, Arbitraries.just(OptionalDouble.empty())));
    Arbitrary<Long> elapsed =
        Arbitraries.frequency(
                Tuple.of(40, 1000L),
                Tuple.of(1, 4000L),
                Tuple.of(1, 20_000L),
                Tuple.of(1, 0L),
                Tuple.of(1, -5000L))
            .map(millis -> millis * 1_000_000);
    Arbitrary<Cores> usable =
        Arbitraries.frequency(Tuple.of(20, "0-7"), Tuple.of(2, "0-3,9"), Tuple.of(1, ""))
            .map(Cores::parse);
    Arbitrary<Optional<Cores>> pinned =
        Arbitraries.frequency(
                Tuple.of(20, ""),
                Tuple.of(4, "2-3"),
                Tuple.of(2, "0-7,9"),
                Tuple.of(1, "0,7"),
                Tuple.of(1, "?"))
            .map(list -> Optional.of(list).filter(l -> !l.equals("?")).map(Cores::parse));
    Arbitrary<Map<Integer, Double>> busy =
        Arbitraries.maps(Arbitraries.integers().between(0, 9), Arbitraries.doubles().between(0, 1))
            .ofMaxSize(9);
    return Combinators.combine(load, elapsed, usable, pinned, busy)
        .as((l, e, u, p, b) -> new CoresObservation(new Observation(e, l, u.count()), u, p, b))
        .list()
        .ofMaxSize(60)
        .map(CoresPropertyTest::inTime);
  }

  /** Turns the steps' durations into times. */
  private static List<CoresObservation> inTime(List<CoresObservation> steps) {
    List<CoresObservation> series = new ArrayList<>();
    long nanos = 0;
    for (CoresObservation step : steps) {
      nanos += step.load().nanos();
      series.add(shifted(step, nanos));
    }
    return series;
  }

  private static CoresObservation shifted(CoresObservation seen, long nanos) {
    return new CoresObservation(
        new Observation(nanos, seen.load().value(), seen.load().capacity()),
        seen.usable(),
        seen.pinned(),
        seen.busy());
  }

  private static List<Decision> decide(
      boolean followLoad, int minimum, List<CoresObservation> series) {
    CoresRegulator regulator =
        new CoresRegulator(new CoresSettings(followLoad, minimum, HEADROOM, WINDOW));
    return series.stream().map(regulator::decide).toList();
  }

  @Property
  void bestEffortHasTheMinimumAndTouchesPinnedCoresForNothingElse(
      @ForAll("series") List<CoresObservation> series,
      @ForAll boolean followLoad,
      @ForAll @IntRange(min = 1, max = 3) int minimum) {
    for (Decision decision : decide(followLoad, minimum, series)) {
      CoreChoice choice = decision.cores().orElseThrow();
      assertThat(decision.limit()).isEqualTo(choice.chosen().count());
      assertThat(choice.usable().containsAll(choice.chosen())).isTrue();
      assertThat(choice.chosen().count())
          .isGreaterThanOrEqualTo(Math.min(minimum, choice.usable().count()));
      Cores shared = choice.chosen().within(choice.pinned());
      if (!shared.isEmpty()) {
        assertThat(choice.chosen().count()).isEqualTo(minimum);
        assertThat(choice.chosen().containsAll(choice.usable().minus(choice.pinned()))).isTrue();
      }
      Statistics.collect(decision.cause());
    }
  }

  @Property
  void withoutLoadItHasAllThatAreFree(@ForAll("series") List<CoresObservation> series) {
    for (Decision decision : decide(false, 1, series)) {
      CoreChoice choice = decision.cores().orElseThrow();
      if (decision.cause() == Cause.UNPINNED) {
        assertThat(choice.chosen()).isEqualTo(choice.usable().minus(choice.pinned()));
      }
    }
  }

  @Property
  void coresMoveNoMoreThanTheirNumberAndThePinnedOnesAskFor(
      @ForAll("series") List<CoresObservation> series) {
    Cores before = Cores.none();
    for (Decision decision : decide(true, 1, series)) {
      CoreChoice choice = decision.cores().orElseThrow();
      Cores may = before.within(choice.usable()).minus(choice.pinned());
      Cores kept = may.within(choice.chosen());
      assertThat(kept.count())
          .isEqualTo(Math.min(may.count(), choice.chosen().minus(choice.pinned()).count()));
      before = choice.chosen();
    }
  }

  @Property
  void theActionSaysWhatHappensToItsCores(@ForAll("series") List<CoresObservation> series) {
    Cores before = Cores.none();
    for (Decision decision : decide(true, 2, series)) {
      Cores chosen = decision.cores().orElseThrow().chosen();
      Change expected = chosen.equals(before) ? Change.KEEP : Change.WIDEN;
      assertThat(decision.change())
          .isEqualTo(chosen.containsAll(before) ? expected : Change.TIGHTEN);
      before = chosen;
    }
  }

  @Property
  void whatItFollowsFits(@ForAll("series") List<CoresObservation> series) {
    for (Decision decision : decide(true, 1, series)) {
      CoreChoice choice = decision.cores().orElseThrow();
      if (decision.cause() == Cause.FOLLOWING && choice.chosen().count() > 1) {
        double free = choice.usable().minus(choice.pinned()).count();
        assertThat(choice.chosen().count() + choice.meanLoad().orElseThrow() + HEADROOM)
            .isLessThanOrEqualTo(free + 1e-9);
      }
    }
  }

  @Property
  void belowAWaterLineItNeverHasMoreThanTheMomentLeaves(
      @ForAll("series") List<CoresObservation> series,
      @ForAll @IntRange(min = 1, max = 100) int percent) {
    CoresRegulator regulator =
        new CoresRegulator(
            new CoresSettings(
                true,
                1,
                HEADROOM,
                WINDOW,
                Optional.of(new WaterLine(percent)),
                CorePlacement.SPREAD));
    for (CoresObservation seen : series) {
      Decision decision = regulator.decide(seen);
      CoreChoice choice = decision.cores().orElseThrow();
      if (seen.load().value().isPresent() && choice.chosen().count() > 1) {
        double free = choice.usable().minus(choice.pinned()).count();
        assertThat(choice.chosen().count() + seen.load().value().getAsDouble())
            .isLessThanOrEqualTo(free * percent / 100 + 1e-9);
      }
    }
  }

  @Property
  void aLineOfAllCoresNeverGivesMoreThanNoLine(@ForAll("series") List<CoresObservation> series) {
    CoresRegulator lined =
        new CoresRegulator(
            new CoresSettings(
                true, 1, HEADROOM, WINDOW, Optional.of(new WaterLine(100)), CorePlacement.SPREAD));
    List<Decision> without = decide(true, 1, series);
    for (int i = 0; i < series.size(); i++) {
      assertThat(lined.decide(series.get(i)).limit()).isLessThanOrEqualTo(without.get(i).limit());
    }
  }

  @Property
  void equalSeriesGiveEqualDecisionsWhereverTheClockStarts(
      @ForAll("series") List<CoresObservation> series, @ForAll long shiftNanos) {
    List<CoresObservation> later =
        series.stream().map(seen -> shifted(seen, seen.load().nanos() + shiftNanos)).toList();
    assertThat(decide(true, 1, series)).isEqualTo(decide(true, 1, series));
    assertThat(decide(true, 1, later))
        .extracting(Decision::cores)
        .isEqualTo(decide(true, 1, series).stream().map(Decision::cores).toList());
  }

  @Property
  void setsAreSets(
      @ForAll Set<@IntRange(max = 200) Integer> a, @ForAll Set<@IntRange(max = 200) Integer> b) {
    Cores left = Cores.of(a);
    Cores right = Cores.of(b);
    assertThat(left.numbers()).isSorted().containsExactlyInAnyOrderElementsOf(a);
    assertThat(left.with(right).numbers()).containsAll(a).containsAll(b);
    assertThat(left.within(right).numbers()).allMatch(n -> a.contains(n) && b.contains(n));
    assertThat(left.minus(right).numbers()).allMatch(n -> a.contains(n) && !b.contains(n));
    assertThat(left.within(right).count() + left.minus(right).count()).isEqualTo(left.count());
    assertThat(left.containsAll(right)).isEqualTo(a.containsAll(b));
    assertThat(Cores.parse(left.toString())).isEqualTo(left);
    assertThat(Cores.none().with(left)).isEqualTo(left).isNotEqualTo(List.of());
  }
}
