/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import java.util.ArrayList;
import java.util.List;

/** What some columns explain of another one: an orthonormal basis of their span. */
final class Orthonormal {
  /** Of a column of which less is new the others hold the rest. */
  private static final double NEW = 1e-6;

  private final List<double[]> basis = new ArrayList<>();

  /**
   * Spans columns (modified Gram-Schmidt, twice, which is as exact as it gets).
   *
   * @param columns of equal length; one that the others explain adds nothing
   */
  Orthonormal(List<double[]> columns) {
    for (double[] column : columns) {
      double[] rest = residual(residual(column));
      double norm = norm(rest);
      if (norm > NEW * norm(column)) {
        for (int i = 0; i < rest.length; i++) {
          rest[i] /= norm;
        }
        basis.add(rest);
      }
    }
  }

  /** How many columns are independent. */
  int rank() {
    return basis.size();
  }

  /** What of a column is not explained. */
  double[] residual(double[] column) {
    double[] rest = column.clone();
    for (double[] direction : basis) {
      double length = dot(direction, rest);
      for (int i = 0; i < rest.length; i++) {
        rest[i] -= length * direction[i];
      }
    }
    return rest;
  }

  static double dot(double[] one, double[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += one[i] * other[i];
    }
    return sum;
  }

  private static double norm(double[] column) {
    return Math.sqrt(dot(column, column));
  }
}
