/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

/**
 * The stretch of time over which a mean and a standard deviation are being taken, without keeping
 * its samples.
 *
 * <p>A sample stands for the time since the one before it. Hence the very first sample only opens a
 * stretch, and so does the first one after time that nobody saw: more than half a window without a
 * sample, or a clock that stood still or went backwards. After a whole window without a sample
 * everything that was known is out of date.
 */
final class Watch {
  /** How a sample follows the one before it. */
  enum Continuity {
    /** The time between them was watched. */
    CONTINUED,
    /** Some of the time between them was not watched, or it cannot be known how much that was. */
    INTERRUPTED,
    /** For a whole window nothing was watched, or nothing ever was. */
    LOST
  }

  private final RangeSettings settings;
  private final long windowNanos;
  private boolean started;
  private long sampledNanos;
  private long elapsedNanos;
  private long watchedNanos;
  private long samples;
  private double mean;
  private double squares;

  Watch(RangeSettings settings) {
    this.settings = settings;
    this.windowNanos = settings.window().toNanos();
  }

  /** Notes the time of an observation, before anything else is asked. */
  Continuity at(Observation observation) {
    elapsedNanos = observation.nanos() - sampledNanos;
    boolean first = !started;
    if (observation.value().isPresent() || elapsedNanos < 0) {
      started |= observation.value().isPresent();
      sampledNanos = observation.nanos();
    }
    if (first || elapsedNanos > windowNanos) {
      return Continuity.LOST;
    }
    return elapsedNanos <= 0 || elapsedNanos > windowNanos / 2
        ? Continuity.INTERRUPTED
        : Continuity.CONTINUED;
  }

  /** For how long the sample whose time was noted last stands. */
  long elapsedNanos() {
    return elapsedNanos;
  }

  /** Begins a new stretch with the next sample. */
  void restart() {
    watchedNanos = 0;
    samples = 0;
    mean = 0;
    squares = 0;
  }

  /**
   * Takes the sample whose time was noted last.
   *
   * <p>Welford's recurrence: {@code mean += (x - mean) / n} and {@code squares += (x - oldMean) *
   * (x - mean)}; it gives a deviation of exactly zero for equal values.
   */
  void add(double value) {
    watchedNanos += elapsedNanos;
    samples++;
    double deviation = value - mean;
    mean += deviation / samples;
    squares += deviation * (value - mean);
  }

  /** Whether the stretch is as long as a window. */
  boolean isFull() {
    return watchedNanos >= windowNanos && samples >= RangeSettings.MIN_SAMPLES;
  }

  /**
   * What the stretch says: {@code mu = sum(x) / n}, {@code sigma = sqrt(sum((x - mu)^2) / (n - 1))}
   * (Scavenger, section 4.1).
   */
  NormalRange range() {
    return new NormalRange(mean, Math.sqrt(squares / (samples - 1)), settings.stdFactor());
  }
}
