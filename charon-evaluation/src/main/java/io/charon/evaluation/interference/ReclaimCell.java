/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

/**
 * The measurements of one run.
 *
 * @param load kind of production
 * @param approach the approach
 * @param memory production's memory
 * @param offeredMegabytes mean limit of best-effort in the last third, MB
 * @param speed production's speed in the last third
 * @param alive whether production was alive at the end
 */
record ReclaimCell(
    ReclaimLoad load,
    ReclaimApproach approach,
    Memory memory,
    double offeredMegabytes,
    Speed speed,
    boolean alive) {
  /**
   * Production's memory, MB.
   *
   * @param start memory that production held before
   * @param held memory that production held at the end, without swap
   * @param refaulted memory that production took back during the run
   * @param taken memory that was reclaimed
   */
  record Memory(double start, double held, double refaulted, double taken) {
    /** Returns the share of production's memory that was saved, 0 to 1. */
    double saved() {
      return Math.max(0, 1 - held / start);
    }

    /** Returns the share of production's memory that was refaulted per minute, 0 to 1. */
    double promotedPerMinute(double seconds) {
      return refaulted / start * 60 / seconds;
    }
  }

  /**
   * Production's speed.
   *
   * @param touchesPerSecond touches of memory per second
   * @param p50Micros median latency of batches of 64 touches
   * @param p99Micros 99th percentile of the same latencies
   */
  record Speed(double touchesPerSecond, double p50Micros, double p99Micros) {}
}
