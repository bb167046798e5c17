/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import java.util.Collection;
import java.util.Locale;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/**
 * A mean over seeds with its confidence interval.
 *
 * @param runs number of runs that had a value
 * @param mean mean of the values; not a number if there are none
 * @param halfWidth half the width of the 95 % confidence interval (Student's t); not a number with
 *     fewer than two runs
 */
public record Estimate(int runs, double mean, double halfWidth) {
  private static final double UPPER_QUANTILE = 0.975;

  /** Returns the estimate of the finite values; other values are ignored. */
  public static Estimate of(Collection<Double> values) {
    SummaryStatistics statistics = new SummaryStatistics();
    values.stream().filter(Double::isFinite).forEach(statistics::addValue);
    int runs = (int) statistics.getN();
    return new Estimate(
        runs,
        statistics.getMean(),
        runs < 2
            ? Double.NaN
            : new TDistribution(runs - 1).inverseCumulativeProbability(UPPER_QUANTILE)
                * statistics.getStandardDeviation()
                / Math.sqrt(runs));
  }

  /**
   * Returns the estimate as text for tables.
   *
   * @param unit factor by which the value is multiplied
   * @param digits number of decimals
   */
  public String text(double unit, int digits) {
    String format = "%." + digits + "f";
    String text = String.format(Locale.ROOT, format, unit * mean);
    return Double.isFinite(halfWidth)
        ? text + String.format(Locale.ROOT, " +-" + format, unit * halfWidth)
        : text;
  }

  /** Returns the lower end of the interval; not a number with fewer than two runs. */
  public double low() {
    return mean - halfWidth;
  }

  /** Returns the upper end of the interval; not a number with fewer than two runs. */
  public double high() {
    return mean + halfWidth;
  }

  /** Returns whether both estimates have an interval. */
  public boolean isComparable(Estimate other) {
    return Double.isFinite(halfWidth) && Double.isFinite(other.halfWidth);
  }

  /** Returns whether the intervals overlap; false if one estimate has no interval. */
  public boolean overlaps(Estimate other) {
    return low() <= other.high() && other.low() <= high();
  }
}
