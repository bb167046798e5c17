/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import io.charon.sls.contention.Verdict.Effect;
import io.charon.sls.contention.Verdict.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * Tests whether best-effort makes a measured value of a service worse (ByteDance with Intel RDT,
 * "Software based Performance Modeling"; the significance level is our addition):
 *
 * <pre>ln value(t) = f(load(t)) + slow(t) + b * bestEffort(t) + u(t)</pre>
 *
 * <p>The noise u is correlated between intervals. An autoregression is fitted to it and all series
 * are prewhitened; b and its standard error are then estimated from the prewhitened series, with an
 * error that allows for remaining correlation ({@link LongRunVariance}). Because the remaining
 * noise is new in each interval, b is unbiased even if best-effort reacts to earlier values, as it
 * does under a regulator. The effect compares the paper's two sets: best-effort's 90th percentile
 * with its 10th.
 */
public final class ContentionTest {
  /** Minimum number of intervals for a verdict; the paper builds its model from the same number. */
  public static final int MIN_INTERVALS = 500;

  /** Highest order of the autoregression: 10 minutes with intervals of 30 s. */
  private static final int MAX_ORDER = 20;

  private static final int PASSES = 2;
  private static final double LITTLE = 0.1;
  private static final double MUCH = 0.9;

  /**
   * Minimum share of best-effort's variance that load and time must leave unexplained (our choice).
   */
  private static final double MIN_FREE = 0.01;

  /** Minimum share of the intervals that follow another one without a gap (our choice). */
  private static final double MIN_REGULAR = 0.5;

  private static final double PERCENT = 100;

  private final Settings settings;

  /**
   * Strictness of a test.
   *
   * @param chance probability of a false alarm, above 0, below 0.5
   * @param leastEffect smallest relative effect that matters, above 0: 0.05 is 5 %
   * @param slowHours shortest period of the slow changes that are not attributed to best-effort, in
   *     hours; a record of more than 60 such periods has fewer and longer ones, and the verdict
   *     names theirs
   */
  public record Settings(double chance, double leastEffect, double slowHours) {
    /** 1 % false alarms, effects from 5 %, and slow changes from 6 hours (our choice). */
    public static final Settings DEFAULT = new Settings(0.01, 0.05, 6);
  }

  /**
   * Creates a test.
   *
   * @param settings its strictness
   */
  public ContentionTest(Settings settings) {
    this.settings = settings;
  }

  /**
   * Judges one service.
   *
   * @param intervals intervals in the order of their time
   */
  public Verdict judge(List<Interval> intervals) {
    int count = intervals.size();
    if (count < MIN_INTERVALS) {
      return Verdict.unknown("learning: %d of %d intervals".formatted(count, MIN_INTERVALS), count);
    }
    double little = bestEffortAt(intervals, LITTLE);
    double much = bestEffortAt(intervals, MUCH);
    if (!(much > little)) {
      return Verdict.unknown(
          "best-effort used about the same amount all the time (%s): nothing to compare"
              .formatted(number(little)),
          count);
    }
    int[] position = Series.positions(intervals);
    double regular = Arrays.stream(position).filter(place -> place > 0).count() / (double) count;
    if (regular < MIN_REGULAR) {
      return Verdict.unknown("most intervals follow a gap", count);
    }
    boolean logarithms = intervals.stream().allMatch(interval -> interval.value() > 0);
    double scale = logarithms ? 1 : mean(intervals);
    if (scale == 0) {
      return Verdict.unknown("the value is 0 all the time", count);
    }
    Series series = series(intervals, logarithms, scale);
    Fit plain = Fit.of(series);
    if (plain.information() < MIN_FREE * variation(series.bestEffort())) {
      return Verdict.unknown(
          "best-effort's use follows the load and the time of day so closely that their "
              + "effects cannot be separated",
          count);
    }
    return verdict(effect(series, plain, position, much - little, logarithms), little, much, count)
        .adding(onlySlower(Controls.slowHours(intervals, settings.slowHours())));
  }

  /** Returns what the reader of a verdict on a long record must know; empty if it is not long. */
  private String onlySlower(double hours) {
    String used = number(hours);
    String wanted = number(settings.slowHours());
    return used.equals(wanted)
        ? ""
        : "; only changes slower than %s hours are not attributed to best-effort, because with %s hours a record may have %s days"
            .formatted(used, wanted, number(Controls.MAX_PERIODS * settings.slowHours() / 24));
  }

  /**
   * Returns the p-value of the slope under the assumption of independent noise, as a test that
   * ignores the correlation would report it. For comparisons only.
   */
  double naiveChance(List<Interval> intervals) {
    Fit fit = Fit.of(series(intervals, true, 1));
    int freedom = fit.free().length - fit.explained();
    return 1 - new TDistribution(freedom).cumulativeProbability(fit.slope() / fit.naiveError());
  }

  /** Returns the estimate, its lower bound, its upper bound and the p-value. */
  private double[] effect(
      Series series, Fit plain, int[] position, double range, boolean logarithms) {
    double[] noise = plain.residual();
    Fit fit = plain;
    for (int pass = 0; pass < PASSES; pass++) {
      Autoregression model = Autoregression.of(noise, position, MAX_ORDER);
      fit = Fit.of(series.whiten(model, position));
      noise = plain.residualAt(fit.slope());
    }
    double error = fit.error();
    TDistribution t = new TDistribution(LongRunVariance.terms(fit.free().length));
    double margin = t.inverseCumulativeProbability(1 - settings.chance()) * error;
    double[] bounds = {fit.slope(), fit.slope() - margin, fit.slope() + margin};
    double[] effect = new double[bounds.length + 1];
    for (int i = 0; i < bounds.length; i++) {
      effect[i] = logarithms ? Math.expm1(bounds[i] * range) : bounds[i] * range;
    }
    // A value without noise has an error of 0.
    effect[bounds.length] =
        error > 0 ? 1 - t.cumulativeProbability(fit.slope() / error) : fit.slope() > 0 ? 0 : 1;
    return effect;
  }

  private Verdict verdict(double[] found, double little, double much, int count) {
    Effect effect = new Effect(found[0], found[1], found[2], found[3], little, much);
    String matters = percent(settings.leastEffect());
    if (effect.high() < settings.leastEffect()) {
      String reason =
          effect.significant()
              ? "the value is higher by %s, less than %s"
                  .formatted(percent(effect.estimate()), matters)
              : "the value is higher by less than %s, if at all".formatted(matters);
      return new Verdict(Kind.FINE, reason, count, Optional.of(effect));
    }
    if (effect.significant()) {
      return new Verdict(
          Kind.SUFFERS,
          "the value is higher by %s while best-effort uses %s instead of %s, at equal load"
              .formatted(percent(effect.estimate()), number(much), number(little)),
          count,
          Optional.of(effect));
    }
    return new Verdict(
        Kind.UNKNOWN,
        "the effect is anything from %s to %s: more intervals, or more changes of best-effort, would narrow it"
            .formatted(percent(effect.low()), percent(effect.high())),
        count,
        Optional.of(effect));
  }

  private Series series(List<Interval> intervals, boolean logarithms, double scale) {
    return new Series(
        intervals.stream()
            .mapToDouble(
                interval -> logarithms ? Math.log(interval.value()) : interval.value() / scale)
            .toArray(),
        intervals.stream().mapToDouble(Interval::bestEffort).toArray(),
        Controls.of(intervals, settings.slowHours()));
  }

  private static double bestEffortAt(List<Interval> intervals, double share) {
    double[] sorted = intervals.stream().mapToDouble(Interval::bestEffort).sorted().toArray();
    return sorted[(int) Math.round(share * (sorted.length - 1))];
  }

  private static double mean(List<Interval> intervals) {
    return intervals.stream().mapToDouble(Interval::value).average().orElseThrow();
  }

  private static double variation(double[] column) {
    double mean = Arrays.stream(column).average().orElseThrow();
    return Arrays.stream(column).map(value -> (value - mean) * (value - mean)).sum();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", PERCENT * share);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }
}
