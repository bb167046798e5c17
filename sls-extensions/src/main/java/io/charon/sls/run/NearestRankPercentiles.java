/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import java.util.stream.DoubleStream;

/** Percentiles by nearest rank. */
final class NearestRankPercentiles {
  private NearestRankPercentiles() {}

  /**
   * Returns the smallest value that at least the given percentage of the values does not exceed;
   * not a number if there are no values.
   */
  static double of(DoubleStream values, int percent) {
    double[] sorted = values.sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[(percent * sorted.length + 99) / 100 - 1];
  }
}
