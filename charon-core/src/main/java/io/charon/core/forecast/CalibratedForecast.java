/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

/**
 * A forecast with a margin that makes it too low as often as is tolerated: a high percentile of its
 * own errors of the last week, times a factor that rises with each violation and falls without one,
 * as in adaptive conformal inference (Gibbs and Candès, NeurIPS 2021; the factor in place of their
 * level is ours).
 */
final class CalibratedForecast {
  /** Errors that count: a week (ours). */
  private static final int ERRORS = 7 * UseSample.PER_DAY;

  /** With fewer errors, an hour, everything is kept (ours). */
  private static final int MIN_ERRORS = 12;

  /** How much the factor's logarithm rises with a violation (ours, tuned). */
  private static final double STEP = 0.03;

  private static final double LOWEST_LOG = -1.5;
  private static final double HIGHEST_LOG = 3;

  /** Weight of a new loss: a week (ours). */
  private static final double LOSS_WEIGHT = 1.0 / ERRORS;

  private final double tolerated;
  private final SlidingPercentile errors = new SlidingPercentile(ERRORS);
  private double logFactor;
  private double loss;
  private double forecast = 1;
  private double scale = 1;
  private double kept = 1;

  CalibratedForecast(double tolerated) {
    this.tolerated = tolerated;
  }

  /** Compares the last forecast with what came: returns its error. */
  double learn(double share) {
    double error = share - forecast;
    errors.add(error / scale);
    boolean violated = share > kept;
    logFactor += STEP * ((violated ? 1 : 0) - tolerated);
    logFactor = Math.max(LOWEST_LOG, Math.min(HIGHEST_LOG, logFactor));
    double off = violated ? (1 - tolerated) * (share - kept) : tolerated * (kept - share);
    loss += (off - loss) * LOSS_WEIGHT;
    return error;
  }

  /**
   * Forecasts the next sample.
   *
   * @param nextForecast share of the reservations
   * @param nextScale what its errors are measured in, so that those of other times count; above 0
   */
  void forecast(double nextForecast, double nextScale) {
    forecast = nextForecast;
    scale = nextScale;
    kept = 1;
    if (errors.size() >= MIN_ERRORS) {
      double margin = errors.at(1 - tolerated) * scale;
      // A forecast that is always too high has a negative margin: caution makes that smaller.
      margin *= Math.exp(margin > 0 ? logFactor : -logFactor);
      kept = Math.max(0, Math.min(1, forecast + margin));
    }
  }

  /** Share of the reservations that it keeps. */
  double kept() {
    return kept;
  }

  /** Pinball loss at the tolerated rate: what was kept too much, and dearly what too little. */
  double loss() {
    return loss;
  }
}
