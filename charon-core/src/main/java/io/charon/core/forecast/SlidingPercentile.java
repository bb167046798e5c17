/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

import java.util.Arrays;

/** Computes a percentile of the newest values, by nearest rank. */
final class SlidingPercentile {
  private final double[] newest;
  private final double[] sorted;
  private long seen;

  /**
   * Creates an empty window.
   *
   * @param values number of newest values kept; at least 1
   */
  SlidingPercentile(int values) {
    this.newest = new double[values];
    this.sorted = new double[values];
  }

  int size() {
    return (int) Math.min(seen, newest.length);
  }

  void add(double value) {
    int slot = (int) (seen % newest.length);
    int size = size();
    if (size == newest.length) {
      for (int i = Arrays.binarySearch(sorted, 0, size, newest[slot]); i + 1 < size; i++) {
        sorted[i] = sorted[i + 1];
      }
      size--;
    }
    int place = size;
    for (; place > 0 && sorted[place - 1] > value; place--) {
      sorted[place] = sorted[place - 1];
    }
    sorted[place] = value;
    newest[slot] = value;
    seen++;
  }

  /**
   * Returns the smallest value such that at least the given share of all values are not larger.
   *
   * @param share 0 to 1
   */
  double at(double share) {
    int rank = (int) Math.ceil(share * size() - 1e-9);
    return sorted[Math.max(0, Math.min(size(), rank) - 1)];
  }
}
