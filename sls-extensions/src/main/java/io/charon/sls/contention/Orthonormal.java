/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import java.util.ArrayList;
import java.util.List;

/**
 * An orthonormal basis of the span of some columns, to find the part of another column that they
 * explain.
 */
final class Orthonormal {
  /**
   * Relative norm at or below which the rest of a column counts as explained by the other columns.
   */
  private static final double NEW = 1e-6;

  private final List<double[]> basis = new ArrayList<>();

  /**
   * Computes the basis by modified Gram-Schmidt, applied twice for numerical accuracy.
   *
   * @param columns columns of equal length; one that the others explain adds nothing
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

  /** Returns the number of independent columns. */
  int rank() {
    return basis.size();
  }

  /** Returns the part of a column that the basis does not explain. */
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
