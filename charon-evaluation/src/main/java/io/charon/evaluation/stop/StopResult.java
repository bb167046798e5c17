/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.stop;

import java.util.List;

/**
 * The measurements of {@code bench stop}.
 *
 * @param times the effect of each order, in the order in which they were given
 * @param loadAverage load average of the machine before
 * @param seconds duration of the run
 */
public record StopResult(List<StopTime> times, double loadAverage, double seconds) {
  /**
   * The effect of one order.
   *
   * @param scope what it stopped
   * @param confirmedSeconds time from the order until the daemon confirmed it, seconds
   * @param lastLaunchSeconds time from the order to the last launch on the node, seconds; 0 if
   *     there was none
   */
  public record StopTime(StopScope scope, double confirmedSeconds, double lastLaunchSeconds) {}

  /** Copies the list. */
  public StopResult {
    times = List.copyOf(times);
  }

  List<StopTime> of(StopScope scope) {
    return times.stream().filter(time -> time.scope() == scope).toList();
  }
}
