/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import io.charon.evaluation.statistics.Percentiles;
import java.util.List;
import java.util.Random;

/**
 * Charon's 99th percentile compared with stock's, and the difference between two stock measurements
 * that is due to chance. The latter is found by a permutation test: in each round, stock and stock
 * again are exchanged at random, and the difference between their percentiles is one between
 * equals.
 *
 * @param excessMillis Charon's p99 above the mean of the two p99 of stock
 * @param spreadMillis bound that the difference between the two does not exceed in 95 of 100
 *     exchanges
 */
record TailComparison(double excessMillis, double spreadMillis) {
  private static final int EXCHANGES = 2000;
  private static final double COVERED = 95;
  private static final double PERCENT = 99;

  /** Fixed seed, so that the same launches give the same spread. */
  private static final long SEED = 24;

  /**
   * Compares the percentiles of a series.
   *
   * @param series series with at least one round
   */
  static TailComparison of(LaunchSeries series) {
    double[] stock = array(series.millis(LaunchVariant.STOCK));
    double[] again = array(series.millis(LaunchVariant.STOCK_AGAIN));
    double usual = (p99(stock) + p99(again)) / 2;
    double charon = p99(array(series.millis(LaunchVariant.CHARON)));
    return new TailComparison(charon - usual, spread(stock, again));
  }

  /** Returns whether Charon's p99 exceeds stock's by no more than chance. */
  boolean isWithinSpread() {
    return excessMillis <= spreadMillis;
  }

  private static double spread(double[] stock, double[] again) {
    Random random = new Random(SEED);
    double[] differences = new double[EXCHANGES];
    double[] first = new double[stock.length];
    double[] second = new double[stock.length];
    for (int exchange = 0; exchange < EXCHANGES; exchange++) {
      for (int i = 0; i < stock.length; i++) {
        boolean swapped = random.nextBoolean();
        first[i] = swapped ? again[i] : stock[i];
        second[i] = swapped ? stock[i] : again[i];
      }
      differences[exchange] = Math.abs(p99(first) - p99(second));
    }
    return Percentiles.of(differences, COVERED);
  }

  private static double p99(double[] values) {
    return Percentiles.of(values, PERCENT);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
