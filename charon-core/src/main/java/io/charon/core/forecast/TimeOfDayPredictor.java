/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

import java.util.OptionalDouble;

/**
 * Predicts production's use in the next interval from the last sample and the usual use at that
 * time of day, plus a margin calibrated to the tolerated rate of violations. Our design, not from a
 * paper.
 *
 * <p>Three forecasts run side by side: the last sample, with one margin for the whole day; the last
 * sample, with a margin that is larger at times of day with larger errors; the daily pattern,
 * shifted by the distance of the last sample from it. The forecast with the smallest loss over the
 * last week is used. The prediction holds for one interval, not for a day as the oracle and the
 * other predictors define it.
 */
public final class TimeOfDayPredictor implements UsePredictor {
  /** The default for the tolerated share of samples with a violation. Our choice. */
  public static final double TOLERATED = 0.001;

  /** The part of a deviation from the daily pattern that persists for an interval. Our choice. */
  private static final double PERSISTENCE = 0.9;

  private final CalibratedForecast steady;
  private final CalibratedForecast scaled;
  private final CalibratedForecast daily;
  private final ErrorScale errorsOfLast = new ErrorScale();
  private final ErrorScale errorsOfDaily = new ErrorScale();
  private final DailyPattern pattern = new DailyPattern();
  private boolean started;

  /** Creates a predictor with the default rate. */
  public TimeOfDayPredictor() {
    this(TOLERATED);
  }

  /**
   * Creates a predictor with another rate.
   *
   * @param tolerated share of the samples in which production may use more than is kept; above 0,
   *     at most 0.5
   */
  public TimeOfDayPredictor(double tolerated) {
    if (!(tolerated > 0 && tolerated <= 0.5)) {
      throw new IllegalArgumentException(
          "the tolerated share of violations must be above 0 and at most 0.5, was " + tolerated);
    }
    this.steady = new CalibratedForecast(tolerated);
    this.scaled = new CalibratedForecast(tolerated);
    this.daily = new CalibratedForecast(tolerated);
  }

  @Override
  public void add(UseSample sample) {
    double share = sample.share();
    long interval = sample.interval();
    if (started) {
      steady.learn(share);
      errorsOfLast.add(interval, scaled.learn(share));
      errorsOfDaily.add(interval, daily.learn(share));
    }
    started = true;
    OptionalDouble usual = pattern.expected(interval);
    pattern.add(interval, share);
    OptionalDouble next = pattern.expected(interval + 1);
    double byPattern =
        usual.isPresent() && next.isPresent()
            ? Math.max(0, next.getAsDouble() + PERSISTENCE * (share - usual.getAsDouble()))
            : share;
    steady.forecast(share, 1);
    scaled.forecast(share, errorsOfLast.at(interval + 1));
    daily.forecast(byPattern, errorsOfDaily.at(interval + 1));
  }

  @Override
  public double keptShare() {
    CalibratedForecast best = steady;
    if (scaled.loss() < best.loss()) {
      best = scaled;
    }
    if (daily.loss() < best.loss()) {
      best = daily;
    }
    return best.kept();
  }
}
