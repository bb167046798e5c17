/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.charon.sls.contention.ContentionTest.Settings;
import io.charon.sls.contention.Verdict.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with fixed seeds, so the results are the same in every run. */
class ContentionTestTest {
  private static final ContentionTest TEST = new ContentionTest(Settings.DEFAULT);
  private static final double STEP = 30;

  private static SyntheticService day(double effect) {
    return new SyntheticService(effect, 1, 0.1, 5, 15);
  }

  private static long suffering(List<List<Interval>> services) {
    return services.parallelStream()
        .filter(service -> TEST.judge(service).kind() == Kind.SUFFERS)
        .count();
  }

  private static List<List<Interval>> draws(SyntheticService truth, int count) {
    return LongStream.rangeClosed(1, count).mapToObj(truth::draw).toList();
  }

  /** The promised detection rate; the whole curve is in docs/contention.md. */
  @Test
  void anEffectOfFivePercentIsFoundInADayOfNoiseOfTenPercent() {
    assertThat(suffering(draws(day(0.05), 40)))
        .as("of 40, at least 95 %")
        .isGreaterThanOrEqualTo(38);
    assertThat(suffering(draws(day(0), 100))).as("of 100, at most 1 %").isLessThanOrEqualTo(1);
  }

  @Test
  void theEstimateIsRightAndTheAnswerSaysIt() {
    Verdict verdict = TEST.judge(new SyntheticService(0.2, 1, 0.1, 5, 15).draw(7));
    assertThat(verdict.kind()).isEqualTo(Kind.SUFFERS);
    assertThat(verdict.reason()).contains("at equal load").contains("while best-effort uses");
    Verdict.Effect effect = verdict.effect().orElseThrow();
    assertThat(effect.estimate()).isCloseTo(0.2, within(0.03));
    assertThat(effect.low()).isBetween(0.1, effect.estimate());
    assertThat(effect.high()).isBetween(effect.estimate(), 0.3);
    assertThat(effect.chance()).isLessThan(1e-6);
  }

  @Test
  void anEffectThatDoesNotMatterIsFine() {
    Verdict verdict = TEST.judge(new SyntheticService(0.02, 3, 0.05, 5, 15).draw(3));
    assertThat(verdict.kind()).isEqualTo(Kind.FINE);
    assertThat(verdict.reason()).contains("the value is higher by 2.").contains("less than 5.0 %");
    assertThat(TEST.judge(new SyntheticService(0, 3, 0.02, 5, 15).draw(3)).reason())
        .startsWith("the value is higher by less than 5.0 %");
  }

  /** Each of these causes false alarms in a test that assumes independent intervals. */
  @ParameterizedTest
  @ValueSource(doubles = {0.05, 2, 30, 240})
  void noiseOfAnyMemoryRaisesNoAlarm(double minutes) {
    assertThat(suffering(draws(new SyntheticService(0, 1, 0.15, minutes, 15), 30)))
        .isLessThanOrEqualTo(1);
  }

  @Test
  void aTestThatIgnoresHowNoiseGoesOnWouldCryWolf() {
    long naive =
        draws(day(0), 60).stream()
            .filter(service -> TEST.naiveChance(service) <= Settings.DEFAULT.chance())
            .count();
    assertThat(naive).as("of 60; that is what the whitening is for").isGreaterThanOrEqualTo(6);
  }

  /** Services that differ from the model of the test; best-effort has no effect in any of them. */
  private static List<Interval> strange(long seed, ToDoubleFunction<Moment> logValue) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Interval> intervals = new ArrayList<>();
    Moment moment = new Moment();
    for (int t = 0; t < 2880; t++) {
      moment.next(random, t);
      intervals.add(
          new Interval(
              t * STEP, Math.exp(logValue.applyAsDouble(moment)), moment.load, moment.bestEffort));
    }
    return intervals;
  }

  private static final class Moment {
    private double time;
    private double load = 0.5;
    private double wish;
    private double bestEffort;
    private double noise;
    private double jump;
    private double new1;

    void next(SplittableRandom random, int t) {
      time = t / 2880.0;
      load = Math.min(1, Math.max(0.01, 0.9 * load + 0.05 + 0.05 * random.nextGaussian()));
      wish = 0.95 * wish + 0.3 * random.nextGaussian();
      // Best-effort gets the idle part, so it is small whenever production is busy.
      bestEffort = Math.max(0, Math.min(1 - load, 0.5 + 0.2 * wish));
      new1 = random.nextGaussian();
      noise = 0.8 * noise + 0.06 * new1;
      jump = random.nextDouble() < 0.01 ? 0.5 : 0.6 * jump;
    }
  }

  private static long strangers(ToDoubleFunction<Moment> logValue) {
    return suffering(
        LongStream.rangeClosed(1, 30).mapToObj(seed -> strange(seed, logValue)).toList());
  }

  @Test
  void nothingElseIsBlamedOnBestEffort() {
    assertThat(strangers(now -> 2 * now.load * now.load + now.noise))
        .as("steep load")
        .isLessThan(2);
    assertThat(strangers(now -> Math.exp(3 * now.load) / 20 + now.noise))
        .as("exponential load")
        .isLessThan(2);
    assertThat(strangers(now -> 0.5 * now.time + now.noise)).as("drift").isLessThan(2);
    assertThat(strangers(now -> (now.time > 0.4 ? 0.2 : 0) + now.noise))
        .as("a new release")
        .isLessThan(2);
    assertThat(strangers(now -> now.jump + now.noise)).as("outliers").isLessThan(2);
    assertThat(strangers(now -> now.noise * (1 + 2 * now.load)))
        .as("noise that grows with the load")
        .isLessThan(2);
  }

  /** A regulator reduces best-effort when production suffers; this must not hide the effect. */
  @Test
  void aRegulatorThatFollowsTheValueNeitherHidesNorMakesAnEffect() {
    long found = 0;
    long wrong = 0;
    for (int seed = 1; seed <= 20; seed++) {
      found += TEST.judge(regulated(seed, 0.08)).kind() == Kind.SUFFERS ? 1 : 0;
      wrong += TEST.judge(regulated(seed, 0)).kind() == Kind.SUFFERS ? 1 : 0;
    }
    assertThat(found).as("of 20").isGreaterThanOrEqualTo(19);
    assertThat(wrong).as("of 20").isZero();
  }

  private static List<Interval> regulated(long seed, double effect) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Interval> intervals = new ArrayList<>();
    double bestEffort = 0.5;
    double noise = 0;
    for (int t = 0; t < 2880; t++) {
      noise = 0.9 * noise + 0.0436 * random.nextGaussian();
      double value = Math.exp(effect * bestEffort / 0.7 + noise);
      intervals.add(new Interval(t * STEP, value, 0.5 + 0.1 * random.nextDouble(), bestEffort));
      bestEffort =
          value > 1.1
              ? bestEffort / 2
              : Math.min(1, bestEffort + 0.1 * Math.max(0, 1 + random.nextGaussian()));
    }
    return intervals;
  }

  @Test
  void gapsAreNoNeighbours() {
    List<Interval> whole = day(0.1).draw(5);
    List<Interval> torn = new ArrayList<>();
    for (int t = 0; t < whole.size(); t++) {
      if (t % 100 >= 20) {
        torn.add(whole.get(t));
      }
    }
    assertThat(Series.positions(torn)).contains(79).doesNotContain(80);
    assertThat(TEST.judge(torn).kind()).isEqualTo(Kind.SUFFERS);
  }

  @Test
  void whatCannotBeToldIsUnknownAndSaysWhy() {
    List<Interval> day = day(0.05).draw(1);
    assertThat(reason(day.subList(0, 499))).isEqualTo("learning: 499 of 500 intervals");
    assertThat(reason(change(day, i -> i.value(), i -> 0.3))).contains("nothing to compare");
    assertThat(reason(change(day, i -> i.value(), i -> 1 - i.load()))).contains("follows the load");
    assertThat(reason(change(day, i -> 0, Interval::bestEffort)))
        .isEqualTo("the value is 0 all the time");
    assertThat(reason(new SyntheticService(0.01, 0.2, 1, 60, 400).draw(2)))
        .contains("anything from");
    List<Interval> torn = new ArrayList<>();
    double seconds = 0;
    for (int t = 0; t < day.size(); t++) {
      seconds += STEP * (t % 3 == 0 ? 1 : 10 + t);
      Interval interval = day.get(t);
      torn.add(new Interval(seconds, interval.value(), interval.load(), interval.bestEffort()));
    }
    assertThat(TEST.judge(torn).kind()).isNotNull();
  }

  private static String reason(List<Interval> intervals) {
    Verdict verdict = TEST.judge(intervals);
    assertThat(verdict.kind()).isEqualTo(Kind.UNKNOWN);
    return verdict.reason();
  }

  private static List<Interval> change(
      List<Interval> intervals,
      ToDoubleFunction<Interval> value,
      ToDoubleFunction<Interval> bestEffort) {
    return intervals.stream()
        .map(
            i ->
                new Interval(
                    i.seconds(), value.applyAsDouble(i), i.load(), bestEffort.applyAsDouble(i)))
        .toList();
  }

  /** 60 periods of 6 hours are 15 days. */
  @Test
  void aLongRecordIsJudgedAndTheAnswerNamesThePeriodThatWasUsed() {
    List<Interval> day = day(0.2).draw(4);
    assertThat(TEST.judge(lasting(15, day)).reason()).doesNotContain("hours");
    Verdict month = TEST.judge(lasting(30, day));
    assertThat(month.kind()).isEqualTo(Kind.SUFFERS);
    assertThat(month.reason())
        .endsWith(
            "; only changes slower than 12.0 hours are not attributed to best-effort, because with"
                + " 6.00 hours a record may have 15.0 days");
  }

  private static List<Interval> lasting(int days, List<Interval> day) {
    return day.stream()
        .map(i -> new Interval(days * i.seconds(), i.value(), i.load(), i.bestEffort()))
        .toList();
  }

  /** Pressure is often 0: such a value has no logarithm and is compared with its mean. */
  @Test
  void aValueThatIsSometimesZeroIsJudgedToo() {
    List<Interval> day =
        change(day(0.2).draw(4), i -> i.value() < 1 ? 0 : i.value(), Interval::bestEffort);
    assertThat(day).anyMatch(interval -> interval.value() == 0);
    assertThat(TEST.judge(day).kind()).isEqualTo(Kind.SUFFERS);
  }

  @Test
  void aValueWithoutNoiseIsNoDivisionByZero() {
    List<Interval> day = change(day(0).draw(4), i -> 1, Interval::bestEffort);
    assertThat(TEST.judge(day).kind()).isEqualTo(Kind.FINE);
  }
}
