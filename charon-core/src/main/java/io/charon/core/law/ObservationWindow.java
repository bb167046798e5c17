/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

/**
 * The stretch of time over which a mean and a standard deviation are computed, without keeping the
 * samples.
 *
 * <p>A sample represents the time since the previous one, and that is its weight, because samples
 * are more frequent while memory is short. Hence the first sample only starts a stretch, and so
 * does the first one after unobserved time: more than half a window without a sample, or a clock
 * that stood still or went backwards. After a whole window without a sample, all knowledge is
 * outdated.
 */
final class ObservationWindow {
  /** How a sample follows the previous one. */
  enum Continuity {
    /** The time between them was observed. */
    CONTINUED,
    /** Part of the time between them was not observed, or its length is unknown. */
    INTERRUPTED,
    /** Nothing was observed for a whole window, or ever. */
    LOST
  }

  private static final double NANOS_PER_SECOND = 1e9;

  private final RangeSettings settings;
  private final long windowNanos;
  private boolean started;
  private long sampledNanos;
  private long elapsedNanos;
  private long watchedNanos;
  private long samples;
  private double mean;
  private double squares;
  private double weights;
  private double squaredWeights;

  ObservationWindow(RangeSettings settings) {
    this.settings = settings;
    this.windowNanos = settings.window().toNanos();
  }

  /** Records the time of an observation; to be called first. */
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

  /** Returns the time that the last recorded sample represents. */
  long elapsedNanos() {
    return elapsedNanos;
  }

  /** Starts a new stretch with the next sample. */
  void restart() {
    watchedNanos = 0;
    samples = 0;
    mean = 0;
    squares = 0;
    weights = 0;
    squaredWeights = 0;
  }

  /**
   * Adds the value of the last recorded sample.
   *
   * <p>Welford's recurrence in West's weighted form, with the sample's seconds {@code t} and the
   * sum {@code T} of seconds: {@code mean += (x - mean) * t / T} and {@code squares += t * (x -
   * oldMean) * (x - mean)}; it yields a deviation of exactly zero for equal values.
   */
  void add(double value) {
    double seconds = elapsedNanos / NANOS_PER_SECOND;
    watchedNanos += elapsedNanos;
    samples++;
    weights += seconds;
    squaredWeights += seconds * seconds;
    double deviation = value - mean;
    // Divided in this order, the first mean is exactly the first value.
    mean += deviation / (weights / seconds);
    squares += seconds * deviation * (value - mean);
  }

  /** Returns whether the stretch is as long as a window and has enough samples. */
  boolean isFull() {
    return watchedNanos >= windowNanos && samples >= RangeSettings.MIN_SAMPLES;
  }

  /**
   * Returns the range of the stretch: {@code mu = sum(t * x) / T}, {@code sigma = sqrt(sum(t * (x -
   * mu)^2) / (T - sum(t^2) / T))}. For n samples of equal times these are {@code sum(x) / n} and
   * {@code sqrt(sum((x - mu)^2) / (n - 1))} (Scavenger, section 4.1).
   */
  NormalRange range() {
    double deviation = Math.sqrt(squares / (weights - squaredWeights / weights));
    return new NormalRange(mean, deviation, settings.stdFactor());
  }
}
