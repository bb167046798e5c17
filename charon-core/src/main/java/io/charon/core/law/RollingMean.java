/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import java.util.ArrayDeque;
import java.util.Deque;

/** The mean of what was observed over the last window, each sample by the time it stands for. */
public final class RollingMean {
  private record Sample(long elapsedNanos, double value) {}

  private final long windowNanos;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private long watchedNanos;

  /**
   * Nothing was observed yet.
   *
   * @param windowNanos how far back the mean reaches, above 0
   */
  public RollingMean(long windowNanos) {
    this.windowNanos = windowNanos;
  }

  /** Forgets all samples. */
  public void clear() {
    samples.clear();
    watchedNanos = 0;
  }

  /** Takes a sample, and forgets those without which a whole window is known, too. */
  public void add(long elapsedNanos, double value) {
    samples.addLast(new Sample(elapsedNanos, value));
    watchedNanos += elapsedNanos;
    while (samples.size() > RangeSettings.MIN_SAMPLES
        && watchedNanos - samples.peekFirst().elapsedNanos() >= windowNanos) {
      watchedNanos -= samples.removeFirst().elapsedNanos();
    }
  }

  /** Whether nothing was observed. */
  public boolean isEmpty() {
    return samples.isEmpty();
  }

  /** Whether a whole window is known. */
  public boolean isFull() {
    return watchedNanos >= windowNanos && samples.size() >= RangeSettings.MIN_SAMPLES;
  }

  /** {@code sum(x * t) / sum(t)}. Added up anew each time, so that no rounding is carried along. */
  public double mean() {
    double sum = 0;
    for (Sample sample : samples) {
      sum += sample.value() * sample.elapsedNanos();
    }
    return sum / watchedNanos;
  }
}
