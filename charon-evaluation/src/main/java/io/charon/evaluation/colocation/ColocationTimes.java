/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.time.Duration;
import java.util.Optional;

/**
 * Durations of a run of one scenario.
 *
 * @param window window of its regulator
 * @param shortened whether all regulators have that window instead of the paper's windows
 * @param step time for which the foreground's load is constant
 * @param measured measured time of a run, which consists of whole steps
 */
record ColocationTimes(Duration window, boolean shortened, Duration step, Duration measured) {

  /**
   * The longest window: of the memory regulator, which must be full before a best-effort container
   * starts, and of CPU satisfaction.
   */
  private static final Duration MAX_WINDOW = Duration.ofSeconds(60);

  /** Minimum time for programs to reach their steady state. */
  private static final Duration MIN_SETTLE = Duration.ofSeconds(2);

  private static final Duration MAX_STEP = Duration.ofSeconds(5);

  /**
   * Returns times of a load that cycles through its levels once or more, in steps of at most 5 s.
   */
  static ColocationTimes ofLevels(
      Duration window, boolean shortened, Duration measured, int levels) {
    long rounds = ceilDiv(measured.toMillis(), MAX_STEP.multipliedBy(levels).toMillis());
    return new ColocationTimes(window, shortened, measured.dividedBy(rounds * levels), measured);
  }

  /** Returns times of a load that goes through its levels once. */
  static ColocationTimes ofSizes(Duration window, boolean shortened, Duration measured, int sizes) {
    return new ColocationTimes(window, shortened, measured.dividedBy(sizes), measured);
  }

  /** Returns the window of the node's regulators if it is not the paper's. */
  Optional<Duration> nodeWindow() {
    return shortened ? Optional.of(window) : Optional.empty();
  }

  /**
   * Returns how long a run lasts before it is measured, in whole steps. With regulators, this
   * includes their first window.
   */
  Duration settle(ColocationMode mode) {
    Duration least = mode.hasWindow() ? MIN_SETTLE.plus(firstWindow(mode)) : MIN_SETTLE;
    return step.multipliedBy(ceilDiv(least.toNanos(), step.toNanos()));
  }

  private static long ceilDiv(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  private Duration firstWindow(ColocationMode mode) {
    return mode.hasLongestWindow() && !shortened ? MAX_WINDOW : window;
  }
}
