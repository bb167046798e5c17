/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

/**
 * Keeps the mean share of the reservations that the machine used, plus a number of standard
 * deviations (Bashir et al., "Take it to the limit", EuroSys'21, N-sigma). Using the unbiased
 * deviation is our choice. With a single sample, the whole reservation is kept.
 */
public final class NSigmaPredictor implements UsePredictor {
  /** Number of standard deviations (EuroSys'21). */
  public static final double FACTOR = 5;

  /** Number of past samples: two hours (EuroSys'21). */
  public static final int SAMPLES = 24;

  private final double factor;
  private final double[] ratios;
  private long seen;

  /** Creates a predictor with the parameters of the paper. */
  public NSigmaPredictor() {
    this(FACTOR, SAMPLES);
  }

  /**
   * Creates a predictor.
   *
   * @param factor number of standard deviations; at least 0
   * @param samples number of newest samples used; at least 2
   */
  public NSigmaPredictor(double factor, int samples) {
    if (!(factor >= 0) || samples < 2) {
      throw new IllegalArgumentException(
          "factor must not be negative and samples at least 2, were %s and %d"
              .formatted(factor, samples));
    }
    this.factor = factor;
    this.ratios = new double[samples];
  }

  @Override
  public void add(UseSample sample) {
    ratios[(int) (seen % ratios.length)] = sample.share();
    seen++;
  }

  @Override
  public double keptShare() {
    int known = (int) Math.min(seen, ratios.length);
    if (known < 2) {
      return 1;
    }
    double sum = 0;
    for (int i = 0; i < known; i++) {
      sum += ratios[i];
    }
    double mean = sum / known;
    double squares = 0;
    for (int i = 0; i < known; i++) {
      squares += (ratios[i] - mean) * (ratios[i] - mean);
    }
    return Math.min(1, mean + factor * Math.sqrt(squares / (known - 1)));
  }
}
