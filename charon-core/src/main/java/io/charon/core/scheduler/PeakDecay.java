/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/**
 * How a measured peak loses weight with age: half of it in each half-life (ours; the paper leaves
 * the estimator open). Weights are whole numbers, so that equal ages weigh exactly alike.
 *
 * @param halfLifeMillis at least 0; 0 for peaks that all weigh alike
 */
public record PeakDecay(long halfLifeMillis) {
  /** Age does not count. */
  public static final PeakDecay OFF = new PeakDecay(0);

  /** Of a peak without age. Some 30 half-lives later a peak weighs nothing. */
  private static final long FULL_WEIGHT = 1L << 32;

  /** Checks the range. */
  public PeakDecay {
    if (halfLifeMillis < 0) {
      throw new IllegalArgumentException(
          "halfLifeMillis must be at least 0, got " + halfLifeMillis);
    }
  }

  boolean isOff() {
    return halfLifeMillis == 0;
  }

  /**
   * The weight of a peak.
   *
   * @param ageMillis at least 0
   */
  long weight(long ageMillis) {
    return isOff()
        ? FULL_WEIGHT
        : Math.round((double) FULL_WEIGHT * Math.pow(2, -(double) ageMillis / halfLifeMillis));
  }
}
