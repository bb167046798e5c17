/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/**
 * The weight of a measured peak by its age: it halves in each half-life (our choice; the paper
 * leaves the estimator open). Weights are integers, so that equal ages have exactly the same
 * weight.
 *
 * @param halfLifeMillis at least 0; 0 if all peaks have the same weight
 */
public record PeakDecay(long halfLifeMillis) {
  /** All peaks have the same weight. */
  public static final PeakDecay OFF = new PeakDecay(0);

  /** The weight of a peak without age. After about 30 half-lives the weight is zero. */
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
   * Returns the weight of a peak.
   *
   * @param ageMillis at least 0
   */
  long weight(long ageMillis) {
    return isOff()
        ? FULL_WEIGHT
        : Math.round((double) FULL_WEIGHT * Math.pow(2, -(double) ageMillis / halfLifeMillis));
  }
}
