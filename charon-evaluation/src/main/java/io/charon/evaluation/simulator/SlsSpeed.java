/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.simulator;

import io.charon.sls.run.RunResult;

/**
 * The speed of the simulation of one size.
 *
 * @param size the size
 * @param warmUp result of the first run, which is not timed
 * @param result result of the second run, which is timed
 * @param wallSeconds duration of the second run
 * @param peakHeapBytes sum of the peaks of the heap's pools during both runs, including garbage
 */
public record SlsSpeed(
    SlsSize size, RunResult warmUp, RunResult result, double wallSeconds, long peakHeapBytes) {
  /**
   * A size of cluster that {@code bench sls} simulates.
   *
   * @param nodes number of nodes
   * @param hours virtual hours of submissions; the number of jobs is proportional to nodes and
   *     hours
   * @param targetPerSecond target in virtual seconds per second of wall time
   */
  public record SlsSize(int nodes, double hours, double targetPerSecond) {}

  /** Returns the virtual seconds per second of wall time. */
  public double virtualPerSecond() {
    return result.execution().virtualSeconds() / wallSeconds;
  }

  /** Returns the events per second of wall time. */
  public double eventsPerSecond() {
    return result.execution().events() / wallSeconds;
  }

  /** Returns whether both runs had the same events in the same order. */
  public boolean agrees() {
    return warmUp.execution().eventChecksum() == result.execution().eventChecksum();
  }
}
