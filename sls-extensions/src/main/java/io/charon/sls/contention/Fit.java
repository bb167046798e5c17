/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

/**
 * The slope of best-effort by least squares, with the rest partialled out (Frisch, Waugh, Lovell).
 */
final class Fit {
  private final double slope;
  private final double[] free;
  private final double[] residual;
  private final int explained;

  private Fit(double slope, double[] free, double[] residual, int explained) {
    this.slope = slope;
    this.free = free;
    this.residual = residual;
    this.explained = explained;
  }

  /** Fits. */
  static Fit of(Series series) {
    Orthonormal known = new Orthonormal(series.controls());
    double[] free = known.residual(series.bestEffort());
    double[] residual = known.residual(series.value());
    double slope = Orthonormal.dot(free, residual) / Orthonormal.dot(free, free);
    for (int t = 0; t < residual.length; t++) {
      residual[t] -= slope * free[t];
    }
    return new Fit(slope, free, residual, known.rank() + 1);
  }

  /** Of the value by best-effort. */
  double slope() {
    return slope;
  }

  /** What of best-effort the controls do not explain. */
  double[] free() {
    return free;
  }

  /** What of the value nothing explains. */
  double[] residual() {
    return residual;
  }

  /** How many parameters were estimated. */
  int explained() {
    return explained;
  }

  /** What there is to learn the slope from. */
  double information() {
    return Orthonormal.dot(free, free);
  }

  /** What of the value a slope leaves over. */
  double[] residualAt(double otherSlope) {
    double[] rest = residual.clone();
    for (int t = 0; t < rest.length; t++) {
      rest[t] += (slope - otherSlope) * free[t];
    }
    return rest;
  }

  /** The standard error of the slope where residuals may be correlated. */
  double error() {
    double[] scores = new double[free.length];
    for (int t = 0; t < scores.length; t++) {
      scores[t] = free[t] * residual[t];
    }
    return Math.sqrt(LongRunVariance.of(scores) * freedom()) / information();
  }

  /** The standard error of the slope if residuals were independent. */
  double naiveError() {
    double variance = Orthonormal.dot(residual, residual) / free.length;
    return Math.sqrt(variance * freedom() / information());
  }

  /** Residuals are smaller than noise, because parameters were estimated. */
  private double freedom() {
    return (double) free.length / Math.max(1, free.length - explained);
  }
}
