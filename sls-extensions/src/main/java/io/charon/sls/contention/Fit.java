/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

/**
 * The least-squares slope of the value by best-effort, with the controls partialled out (Frisch,
 * Waugh, Lovell).
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

  /** Fits the slope to a series. */
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

  /** Returns the slope of the value by best-effort. */
  double slope() {
    return slope;
  }

  /** Returns the part of best-effort that the controls do not explain. */
  double[] free() {
    return free;
  }

  /** Returns the part of the value that neither the controls nor best-effort explain. */
  double[] residual() {
    return residual;
  }

  /** Returns the number of estimated parameters. */
  int explained() {
    return explained;
  }

  /** Returns the sum of squares of {@link #free}, from which the slope is estimated. */
  double information() {
    return Orthonormal.dot(free, free);
  }

  /** Returns the part of the value that remains with another slope. */
  double[] residualAt(double otherSlope) {
    double[] rest = residual.clone();
    for (int t = 0; t < rest.length; t++) {
      rest[t] += (slope - otherSlope) * free[t];
    }
    return rest;
  }

  /** Returns the standard error of the slope, valid also for correlated residuals. */
  double error() {
    double[] scores = new double[free.length];
    for (int t = 0; t < scores.length; t++) {
      scores[t] = free[t] * residual[t];
    }
    return Math.sqrt(LongRunVariance.of(scores) * freedom()) / information();
  }

  /** Returns the standard error of the slope if residuals were independent. */
  double naiveError() {
    double variance = Orthonormal.dot(residual, residual) / free.length;
    return Math.sqrt(variance * freedom() / information());
  }

  /**
   * Returns a correction: residuals are smaller than the noise, because parameters were estimated.
   */
  private double freedom() {
    return (double) free.length / Math.max(1, free.length - explained);
  }
}
