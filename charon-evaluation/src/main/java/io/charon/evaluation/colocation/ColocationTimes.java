/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a run of one scenario takes.
 *
 * @param window of its regulator
 * @param shortened whether all regulators have that window, rather than the paper's
 * @param step how long the foreground's load stays the same
 * @param measured how long a run counts; whole steps
 */
record ColocationTimes(Duration window, boolean shortened, Duration step, Duration measured) {

  /** Of the memory regulator: before it is full, no best-effort container starts. */
  private static final Duration LONGEST_WINDOW = Duration.ofSeconds(60);

  /** What programs need to be at work. */
  private static final Duration MIN_SETTLE = Duration.ofSeconds(2);

  private static final Duration LONGEST_STEP = Duration.ofSeconds(5);

  /** A load that goes through its levels, once or more, in steps of 5 s at most. */
  static ColocationTimes ofLevels(
      Duration window, boolean shortened, Duration measured, int levels) {
    long rounds = ceilDiv(measured.toMillis(), LONGEST_STEP.multipliedBy(levels).toMillis());
    return new ColocationTimes(window, shortened, measured.dividedBy(rounds * levels), measured);
  }

  /** A load that goes through its levels once. */
  static ColocationTimes ofSizes(Duration window, boolean shortened, Duration measured, int sizes) {
    return new ColocationTimes(window, shortened, measured.dividedBy(sizes), measured);
  }

  /** The window of the node's regulators, where it is not the paper's. */
  Optional<Duration> nodeWindow() {
    return shortened ? Optional.of(window) : Optional.empty();
  }

  /**
   * How long a run goes on before it counts: whole steps; with regulators their first window comes
   * before.
   */
  Duration settle(ColocationMode mode) {
    Duration least = mode.isRegulated() ? MIN_SETTLE.plus(firstWindow(mode)) : MIN_SETTLE;
    return step.multipliedBy(ceilDiv(least.toNanos(), step.toNanos()));
  }

  private static long ceilDiv(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  private Duration firstWindow(ColocationMode mode) {
    return mode.kind() == ColocationMode.Kind.ALL && !shortened ? LONGEST_WINDOW : window;
  }
}
