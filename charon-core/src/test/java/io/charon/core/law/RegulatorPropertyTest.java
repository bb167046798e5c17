/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import io.charon.core.law.CpuQuotaSettings.Worse;
import io.charon.core.mechanism.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.statistics.Statistics;

/** Properties for every series of observations, wherever the clock starts and however it jumps. */
class RegulatorPropertyTest {
  private static final Duration WINDOW = Duration.ofSeconds(6);
  private static final double MINIMUM = 0.5;

  @Provide
  Arbitrary<List<Observation>> series() {
    Arbitrary<OptionalDouble> value =
        Arbitraries.frequencyOf(
            Tuple.of(12, Arbitraries.integers().between(40, 44).map(v -> OptionalDouble.of(v))),
            Tuple.of(3, Arbitraries.integers().between(0, 120).map(v -> OptionalDouble.of(v))),
            Tuple.of(1, Arbitraries.just(OptionalDouble.empty())));
    Arbitrary<Long> elapsed =
        Arbitraries.frequency(
                Tuple.of(40, 1000L),
                Tuple.of(4, 1300L),
                Tuple.of(1, 4000L),
                Tuple.of(1, 20_000L),
                Tuple.of(1, 0L),
                Tuple.of(1, -5000L))
            .map(millis -> millis * 1_000_000);
    Arbitrary<Double> capacity =
        Arbitraries.frequency(Tuple.of(20, 100.0), Tuple.of(2, 60.0), Tuple.of(1, 0.0));
    Arbitrary<List<Observation>> steps =
        Combinators.combine(value, elapsed, capacity)
            .as((v, e, c) -> new Observation(e, v, c))
            .list()
            .ofMaxSize(80);
    return Combinators.combine(steps, Arbitraries.longs()).as(RegulatorPropertyTest::inTime);
  }

  /** Turns the steps' durations into times. */
  private static List<Observation> inTime(List<Observation> steps, long startNanos) {
    List<Observation> observations = new ArrayList<>();
    long nanos = startNanos;
    for (Observation step : steps) {
      nanos += step.nanos();
      observations.add(new Observation(nanos, step.value(), step.capacity()));
    }
    return observations;
  }

  private static Regulator memory(double stdFactor) {
    return new ReserveRegulator(new RangeSettings(WINDOW, stdFactor));
  }

  private static Regulator quota(double stdFactor, Worse worse) {
    return new CpuQuotaRegulator(
        new CpuQuotaSettings(new RangeSettings(WINDOW, stdFactor), worse, 0.1, 2, MINIMUM, 50, 1));
  }

  private static List<Decision> decide(Regulator regulator, List<Observation> series) {
    return series.stream().map(regulator::decide).toList();
  }

  @Property
  void theLimitLiesBetweenNothingAndTheCapacity(
      @ForAll("series") List<Observation> series, @ForAll @DoubleRange(max = 5) double stdFactor) {
    List<Decision> decisions = new ArrayList<>(decide(memory(stdFactor), series));
    decisions.addAll(decide(quota(stdFactor, Worse.LOWER), series));
    decisions.addAll(decide(quota(stdFactor, Worse.HIGHER), series));
    assertThat(decisions)
        .allSatisfy(
            decision ->
                assertThat(decision.limit()).isBetween(0.0, decision.observation().capacity()));
  }

  @Property
  void theActionSaysHowTheLimitMoved(@ForAll("series") List<Observation> series) {
    for (Regulator regulator : List.of(memory(2), quota(1, Worse.LOWER))) {
      double before = 0;
      for (Decision decision : decide(regulator, series)) {
        assertThat(decision.change()).isEqualTo(Change.between(before, decision.limit()));
        before = decision.limit();
      }
    }
  }

  @Property
  void nothingIsAffordedBeforeAWholeWindowWasWatched(@ForAll("series") List<Observation> series) {
    for (Regulator regulator : List.of(memory(2), quota(1, Worse.LOWER))) {
      long watched = 0;
      long before = series.isEmpty() ? 0 : series.get(0).nanos();
      boolean afforded = false;
      for (Decision decision : decide(regulator, series)) {
        Observation observation = decision.observation();
        long elapsed = observation.nanos() - before;
        // After a clock that went back, time counts from there, with or without a sample.
        if (observation.value().isPresent() || elapsed < 0) {
          watched += Math.max(0, elapsed);
          before = observation.nanos();
        }
        afforded |= decision.limit() > 0;
        if (afforded) {
          assertThat(watched).isGreaterThanOrEqualTo(WINDOW.toNanos());
        }
      }
      Statistics.collect(afforded);
    }
  }

  @Property
  void aViolationLowersTheAllowanceAtOnce(
      @ForAll("series") List<Observation> series, @ForAll @DoubleRange(max = 5) double stdFactor) {
    for (Decision decision : decide(memory(stdFactor), series)) {
      if (decision.cause() == Cause.VIOLATION) {
        double capacity = decision.observation().capacity();
        double used = decision.observation().value().orElseThrow();
        NormalRange before = decision.judgedBy().orElseThrow();
        assertThat(used).isGreaterThan(before.upper());
        assertThat(decision.limit())
            .isLessThanOrEqualTo(Math.max(0, capacity - before.upper()))
            .isLessThanOrEqualTo(Math.max(0, capacity - used));
        assertThat(decision.range()).contains(before.around(used));
      }
      Statistics.collect(decision.cause());
    }
  }

  @Property
  void theReserveMovesOnlyByARule(@ForAll("series") List<Observation> series) {
    for (Decision decision : decide(memory(2), series)) {
      switch (decision.cause()) {
        case VIOLATION, PHASE_CHANGE ->
            assertThat(decision.range()).isPresent().isNotEqualTo(decision.judgedBy());
        case LEARNED -> {
          assertThat(decision.judgedBy()).isEmpty();
          assertThat(decision.range()).isPresent();
        }
        default -> assertThat(decision.range()).isEqualTo(decision.judgedBy());
      }
    }
  }

  @Property
  void theQuotaNeverFallsBelowItsMinimumOnceItHasStarted(
      @ForAll("series") List<Observation> series) {
    boolean started = false;
    for (Decision decision : decide(quota(1, Worse.HIGHER), series)) {
      started |= decision.cause() == Cause.LEARNED;
      if (started) {
        assertThat(decision.limit())
            .isGreaterThanOrEqualTo(Math.min(MINIMUM, decision.observation().capacity()));
      }
    }
  }

  @Property
  void equalSeriesGiveEqualDecisionsWhereverTheClockStarts(
      @ForAll("series") List<Observation> series, @ForAll long shiftNanos) {
    List<Observation> later =
        series.stream()
            .map(o -> new Observation(o.nanos() + shiftNanos, o.value(), o.capacity()))
            .toList();
    assertThat(decide(memory(2), series)).isEqualTo(decide(memory(2), series));
    assertThat(decide(memory(2), later))
        .extracting(Decision::limit)
        .isEqualTo(decide(memory(2), series).stream().map(Decision::limit).toList());
    assertThat(decide(quota(1, Worse.LOWER), later))
        .extracting(Decision::limit)
        .isEqualTo(decide(quota(1, Worse.LOWER), series).stream().map(Decision::limit).toList());
  }

  private static List<Suppression> suppressions(List<Observation> series) {
    WaterLineRegulator regulator =
        new WaterLineRegulator(new WaterLine(65), MINIMUM, new RangeSettings(WINDOW, 1));
    return series.stream().map(regulator::decide).toList();
  }

  @Property
  void belowAWaterLineTheLimitIsWhatProductionLeavesNow(
      @ForAll("series") List<Observation> series) {
    double before = 0;
    for (Suppression decision : suppressions(series)) {
      double cores = decision.observation().capacity();
      double line = 0.65 * cores;
      double room =
          decision.observation().value().isPresent()
              ? line - decision.observation().value().getAsDouble()
              : line;
      double least = Math.min(MINIMUM, cores);
      assertThat(decision.limit())
          .isBetween(least, Math.max(least, room) + WaterLine.deadBand(cores) + 1e-9);
      assertThat(decision.limit())
          .isLessThanOrEqualTo(Math.max(before, least) + WaterLine.step(cores) + 1e-9);
      assertThat(decision.change()).isEqualTo(Change.between(before, decision.limit()));
      before = decision.limit();
      Statistics.collect(decision.cause());
    }
  }

  @Property
  void suppressionIsTheSameWhereverTheClockStarts(
      @ForAll("series") List<Observation> series, @ForAll long shiftNanos) {
    List<Observation> later =
        series.stream()
            .map(o -> new Observation(o.nanos() + shiftNanos, o.value(), o.capacity()))
            .toList();
    assertThat(suppressions(later))
        .extracting(Suppression::limit)
        .isEqualTo(suppressions(series).stream().map(Suppression::limit).toList());
  }

  /** Computes the same mean and deviation independently, from the samples themselves. */
  @Property
  void theFirstRangeIsThatOfItsSamples(
      @ForAll("values") List<Double> values, @ForAll @DoubleRange(max = 5) double stdFactor) {
    Regulator regulator =
        new ReserveRegulator(new RangeSettings(Duration.ofSeconds(values.size()), stdFactor));
    Series series = new Series(regulator, 1e12, 0);
    series.next(7.0);
    Decision last = null;
    for (double value : values) {
      last = series.next(value);
    }
    double mean = values.stream().mapToDouble(Double::doubleValue).sum() / values.size();
    double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
    double sigma = Math.sqrt(squares / (values.size() - 1));
    NormalRange range = last.range().orElseThrow();
    assertThat(range.mean()).isCloseTo(mean, withPercentage(1e-6));
    assertThat(range.standardDeviation()).isCloseTo(sigma, within(1e-6 * (mean + 1)));
  }

  @Provide
  Arbitrary<List<Double>> values() {
    return Arbitraries.doubles().between(0, 1e11).list().ofMinSize(5).ofMaxSize(60);
  }
}
