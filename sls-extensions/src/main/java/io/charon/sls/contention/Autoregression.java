/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import java.util.Arrays;

/**
 * The correlation of noise between intervals: u(t) = a1 u(t-1) + ... + ap u(t-p) + e(t).
 * Subtracting the predicted part from a series leaves values that are nearly uncorrelated
 * (prewhitening).
 */
final class Autoregression {
  private final double[] weights;

  private Autoregression(double[] weights) {
    this.weights = weights;
  }

  /**
   * Fits a model by the Yule-Walker equations, of the order that Schwarz's criterion (BIC) prefers.
   *
   * @param noise values with mean 0
   * @param position position of each interval in its run without a gap, from 0
   * @param maxOrder highest order to consider, at least 0
   */
  static Autoregression of(double[] noise, int[] position, int maxOrder) {
    double[] covariance = new double[maxOrder + 1];
    for (int lag = 0; lag <= maxOrder; lag++) {
      for (int t = lag; t < noise.length; t++) {
        covariance[lag] += position[t] >= lag ? noise[t] * noise[t - lag] : 0;
      }
      // All lags are divided by the same number, so the fitted process is stationary.
      covariance[lag] /= noise.length;
    }
    double[] weights = {};
    double[] best = weights;
    double variance = covariance[0];
    double lowest = criterion(noise.length, variance, 0);
    for (int order = 1; order <= maxOrder && variance > 0; order++) {
      weights = next(weights, covariance, variance);
      double reflection = weights[order - 1];
      variance *= 1 - reflection * reflection;
      double criterion = criterion(noise.length, variance, order);
      if (criterion < lowest) {
        lowest = criterion;
        best = weights;
      }
    }
    return new Autoregression(best);
  }

  /** One step of the Levinson-Durbin recursion, from one order to the next. */
  private static double[] next(double[] weights, double[] covariance, double variance) {
    int order = weights.length + 1;
    double sum = covariance[order];
    for (int j = 1; j < order; j++) {
      sum -= weights[j - 1] * covariance[order - j];
    }
    double reflection = sum / variance;
    double[] next = Arrays.copyOf(weights, order);
    for (int j = 1; j < order; j++) {
      next[j - 1] = weights[j - 1] - reflection * weights[order - j - 1];
    }
    next[order - 1] = reflection;
    return next;
  }

  private static double criterion(int count, double variance, int order) {
    return count * Math.log(variance) + order * Math.log(count);
  }

  int order() {
    return weights.length;
  }

  /**
   * Subtracts from each value the part that the previous intervals predict. Values with too few
   * previous intervals are left out.
   *
   * @param position position of each interval in its run without a gap, from 0
   */
  double[] whiten(double[] series, int[] position) {
    double[] white = new double[series.length];
    int kept = 0;
    for (int t = 0; t < series.length; t++) {
      if (position[t] >= weights.length) {
        double value = series[t];
        for (int j = 0; j < weights.length; j++) {
          value -= weights[j] * series[t - j - 1];
        }
        white[kept++] = value;
      }
    }
    return Arrays.copyOf(white, kept);
  }
}
