/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

/**
 * The variance of a sum whose terms may be correlated: the equal-weighted cosine estimator, with
 * which Student's t keeps its level in small samples (Lazarus, Lewis, Stock, Watson, "HAR
 * Inference: Recommendations for Practice", 2018).
 */
final class LongRunVariance {
  private static final double TERMS = 0.4;
  private static final int MIN_TERMS = 8;

  private LongRunVariance() {}

  /**
   * Returns the number of cosines, which is the degrees of freedom of t: 0.4 n^(2/3), at least 8.
   */
  static int terms(int count) {
    return Math.max(MIN_TERMS, (int) (TERMS * Math.cbrt((double) count * count)));
  }

  /** Returns the variance of the sum of {@code scores}, whose mean is 0. */
  static double of(double[] scores) {
    int count = scores.length;
    int terms = terms(count);
    double sum = 0;
    for (int j = 1; j <= terms; j++) {
      // The cosine of pi j (t + 1/2) / n, computed by one rotation for each t.
      double turn = Math.PI * j / count;
      double real = Math.cos(turn / 2);
      double imaginary = Math.sin(turn / 2);
      double turnReal = Math.cos(turn);
      double turnImaginary = Math.sin(turn);
      double projection = 0;
      for (double score : scores) {
        projection += score * real;
        double turned = real * turnReal - imaginary * turnImaginary;
        imaginary = imaginary * turnReal + real * turnImaginary;
        real = turned;
      }
      sum += 2 * projection * projection;
    }
    return sum / terms;
  }
}
