/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.util.ArrayDeque;
import java.util.Deque;

/** The mean over a sliding window; each sample is weighted by the time that it represents. */
public final class RollingMean {
  private record Sample(long elapsedNanos, double value) {}

  private final long windowNanos;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private long watchedNanos;

  /**
   * Creates an empty window.
   *
   * @param windowNanos the length of the window, above 0
   */
  public RollingMean(long windowNanos) {
    this.windowNanos = windowNanos;
  }

  /** Forgets all samples. */
  public void clear() {
    samples.clear();
    watchedNanos = 0;
  }

  /** Adds a sample, and forgets the oldest samples that are not needed to cover the window. */
  public void add(long elapsedNanos, double value) {
    samples.addLast(new Sample(elapsedNanos, value));
    watchedNanos += elapsedNanos;
    while (samples.size() > RangeSettings.MIN_SAMPLES
        && watchedNanos - samples.peekFirst().elapsedNanos() >= windowNanos) {
      watchedNanos -= samples.removeFirst().elapsedNanos();
    }
  }

  /** Returns whether there are no samples. */
  public boolean isEmpty() {
    return samples.isEmpty();
  }

  /** Returns whether the samples cover a whole window. */
  public boolean isFull() {
    return watchedNanos >= windowNanos && samples.size() >= RangeSettings.MIN_SAMPLES;
  }

  /**
   * Returns {@code sum(x * t) / sum(t)}. The sum is computed anew each time, so that rounding
   * errors do not accumulate.
   */
  public double mean() {
    double sum = 0;
    for (Sample sample : samples) {
      sum += sample.value() * sample.elapsedNanos();
    }
    return sum / watchedNanos;
  }
}
