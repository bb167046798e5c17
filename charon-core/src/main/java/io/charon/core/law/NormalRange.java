/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

/**
 * The range in which the foreground is expected: {@code mean - c * sigma} to {@code mean + c *
 * sigma} (Scavenger, section 4.1).
 *
 * @param mean mu, in the unit of the observed values
 * @param standardDeviation sigma of a sample (divisor n - 1 if all values represent equal times),
 *     in the same unit; zero if all values were equal, and then every other value is outside
 * @param stdFactor c
 */
public record NormalRange(double mean, double standardDeviation, double stdFactor) {

  /** Returns half the width of the range: the headroom above the mean. */
  public double headroom() {
    return stdFactor * standardDeviation;
  }

  /** Returns the lower end of the range; may be negative. */
  public double lower() {
    return mean - headroom();
  }

  /** Returns the upper end of the range. */
  public double upper() {
    return mean + headroom();
  }

  /** Returns a range of the same width around another mean. */
  NormalRange around(double newMean) {
    return new NormalRange(newMean, standardDeviation, stdFactor);
  }
}
