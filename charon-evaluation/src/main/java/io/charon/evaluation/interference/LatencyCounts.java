/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Latencies, counted in buckets of an eighth of a power of two: the true value of a quantile is at
 * most 12.5 % above the reported one. The programs that count latencies use the same buckets.
 *
 * @param counts number of latencies by number of the bucket
 */
record LatencyCounts(Map<Integer, Long> counts) {
  private static final int SHIFT = 3;
  private static final int PARTS = 1 << SHIFT;

  LatencyCounts {
    counts = Map.copyOf(counts);
  }

  static LatencyCounts none() {
    return new LatencyCounts(Map.of());
  }

  /** Returns the bucket of a latency. */
  static int bucketOf(long nanos) {
    long counted = Math.max(nanos, PARTS);
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(counted);
    return exponent * PARTS + (int) (counted >> (exponent - SHIFT) & (PARTS - 1));
  }

  /** Returns the shortest latency of a bucket, nanoseconds. */
  static double nanosOf(int bucket) {
    return (double) ((long) (PARTS + bucket % PARTS) << (bucket / PARTS - SHIFT));
  }

  /**
   * Parses the output of a program: words such as 85:12, separated by blanks.
   *
   * @throws IllegalArgumentException if the text is malformed
   */
  static LatencyCounts parse(String text) {
    Map<Integer, Long> counts = new TreeMap<>();
    for (String word : text.strip().split(" ", -1)) {
      int colon = word.indexOf(':');
      if (colon > 0) {
        counts.merge(
            Integer.valueOf(word.substring(0, colon)),
            Long.valueOf(word.substring(colon + 1)),
            Long::sum);
      } else if (!word.isEmpty()) {
        throw new IllegalArgumentException("not a count of latencies: '" + word + "'");
      }
    }
    return new LatencyCounts(counts);
  }

  /** Returns the sum of both counts. */
  LatencyCounts and(LatencyCounts other) {
    Map<Integer, Long> sum = new TreeMap<>(counts);
    other.counts.forEach((bucket, count) -> sum.merge(bucket, count, Long::sum));
    return new LatencyCounts(sum);
  }

  /**
   * Returns a percentile by nearest rank, nanoseconds; empty if there are no latencies.
   *
   * @param percent above 0, at most 100
   */
  OptionalDouble percentile(double percent) {
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    long rank = Math.max(1, (long) Math.ceil(percent / 100 * all));
    long passed = 0;
    for (Map.Entry<Integer, Long> bucket : new TreeMap<>(counts).entrySet()) {
      passed += bucket.getValue();
      if (passed >= rank) {
        return OptionalDouble.of(nanosOf(bucket.getKey()));
      }
    }
    return OptionalDouble.empty();
  }
}
