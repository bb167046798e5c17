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
 * A mean over seeds and how far it may be off.
 *
 * @param runs how many runs had a value
 * @param mean of them; not a number without any
 * @param halfWidth of the 95 % confidence interval (Student's t); not a number below two runs
 */
public record Estimate(int runs, double mean, double halfWidth) {
  private static final double UPPER_QUANTILE = 0.975;

  /** Estimates from values; those that are no numbers are left out. */
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
   * For tables.
   *
   * @param unit by which the value is multiplied
   * @param digits behind the point
   */
  public String text(double unit, int digits) {
    String format = "%." + digits + "f";
    String text = String.format(Locale.ROOT, format, unit * mean);
    return Double.isFinite(halfWidth)
        ? text + String.format(Locale.ROOT, " +-" + format, unit * halfWidth)
        : text;
  }

  /** Lower end of the interval; not a number below two runs. */
  public double low() {
    return mean - halfWidth;
  }

  /** Upper end of the interval; not a number below two runs. */
  public double high() {
    return mean + halfWidth;
  }

  /** Whether both have an interval. */
  public boolean isComparable(Estimate other) {
    return Double.isFinite(halfWidth) && Double.isFinite(other.halfWidth);
  }

  /** Whether the intervals have a value in common; false if one has none. */
  public boolean overlaps(Estimate other) {
    return low() <= other.high() && other.low() <= high();
  }
}
