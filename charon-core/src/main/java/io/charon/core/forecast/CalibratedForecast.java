/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

/**
 * A forecast with a margin, calibrated so that the forecast is too low as often as is tolerated.
 * The margin is a high percentile of the forecast's errors of the last week, multiplied by a factor
 * that rises with each violation and falls without one. This follows adaptive conformal inference
 * (Gibbs and Candès, NeurIPS 2021); adapting a factor instead of their level is our choice.
 */
final class CalibratedForecast {
  /** Number of past errors kept: one week of samples. Our choice. */
  private static final int ERRORS = 7 * UseSample.PER_DAY;

  /** With fewer errors than this, an hour, the whole reservation is kept. Our choice. */
  private static final int MIN_ERRORS = 12;

  /** The increase of the factor's logarithm with each violation. Our choice, tuned. */
  private static final double STEP = 0.03;

  private static final double LOWEST_LOG = -1.5;
  private static final double HIGHEST_LOG = 3;

  /** Weight of a new loss in the moving average: one week. Our choice. */
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

  /** Compares the last forecast with the observed share and returns its error. */
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
   * @param nextScale the unit of this forecast's errors, which makes errors of different times of
   *     day comparable; above 0
   */
  void forecast(double nextForecast, double nextScale) {
    forecast = nextForecast;
    scale = nextScale;
    kept = 1;
    if (errors.size() >= MIN_ERRORS) {
      double margin = errors.at(1 - tolerated) * scale;
      // The margin of a forecast that is always too high is negative; a larger factor moves it
      // towards 0.
      margin *= Math.exp(margin > 0 ? logFactor : -logFactor);
      kept = Math.max(0, Math.min(1, forecast + margin));
    }
  }

  /** Returns the share of the reservations to keep. */
  double kept() {
    return kept;
  }

  /**
   * Returns the average pinball loss at the tolerated rate: keeping too little costs much more than
   * keeping too much.
   */
  double loss() {
    return loss;
  }
}
