/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

/**
 * The series that were replayed.
 *
 * @param replayed number of replayed series
 * @param leftOut number of series with too few samples, or whose use is always 0
 * @param samples samples of all replayed series
 * @param shortestSeconds duration of the shortest series
 * @param longestSeconds duration of the longest series
 * @param meanUsed mean over the series of the used share of the capacity
 * @param peakUsed highest used share of the capacity
 */
public record SeriesSummary(
    int replayed,
    int leftOut,
    Samples samples,
    double shortestSeconds,
    double longestSeconds,
    double meanUsed,
    double peakUsed) {
  /**
   * Numbers of samples.
   *
   * @param all all samples
   * @param missing samples without a value among these
   * @param aboveCapacity samples with a use above the capacity among these
   */
  public record Samples(long all, long missing, long aboveCapacity) {}
}
