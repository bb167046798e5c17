/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.simulator;

import io.charon.sls.run.RunResult;

/**
 * How fast one size was simulated.
 *
 * @param size what
 * @param warmUp result of the first run, which is not timed
 * @param result of the second run, which is
 * @param wallSeconds how long the second took
 * @param peakHeapBytes the most that was in use during both, garbage included
 */
public record SlsSpeed(
    SlsSize size, RunResult warmUp, RunResult result, double wallSeconds, long peakHeapBytes) {
  /** Virtual seconds for each second of wall time. */
  public double virtualPerSecond() {
    return result.virtualSeconds() / wallSeconds;
  }

  /** Events for each second of wall time. */
  public double eventsPerSecond() {
    return result.events() / wallSeconds;
  }

  /** Whether both runs had the same events in the same order. */
  public boolean agrees() {
    return warmUp.eventChecksum() == result.eventChecksum();
  }
}
