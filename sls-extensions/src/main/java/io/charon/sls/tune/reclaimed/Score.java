/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

/**
 * The score of one predictor, of the allocation or of the oracle on one table; all shares are 0 to
 * 1.
 *
 * @param usable share of the capacity that best-effort may use, averaged over the samples
 * @param violations share of the samples in which production used more than was kept for it
 * @param meanExcess mean of the use above the kept capacity in these samples, as a share of the
 *     capacity
 * @param belowPeak share of the samples in which less was kept than the peak of the next 24 hours
 */
public record Score(double usable, double violations, double meanExcess, double belowPeak) {
  /** Sums up the samples of a score. */
  static final class Sum {
    private long samples;
    private long violated;
    private long below;
    private double usable;
    private double excess;

    void add(double capacity, double kept, double used, double peak) {
      samples++;
      usable += Math.max(0, capacity - kept) / capacity;
      if (used > kept) {
        violated++;
        excess += (used - kept) / capacity;
      }
      if (peak > kept) {
        below++;
      }
    }

    long samples() {
      return samples;
    }

    Score score() {
      return new Score(
          usable / samples,
          (double) violated / samples,
          violated == 0 ? 0 : excess / violated,
          (double) below / samples);
    }
  }
}
