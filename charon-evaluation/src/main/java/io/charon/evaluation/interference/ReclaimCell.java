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
 * @param reclaims whether cold memory was reclaimed; otherwise only the memory limit was active
 * @param again whether it is the second run without reclaim of the same repetition
 * @param startMegabytes memory that production held before, MB
 * @param heldMegabytes memory that production held at the end, without swap, MB
 * @param offeredMegabytes mean limit of best-effort in the last third, MB
 * @param touchesPerSecond production's speed in the last third
 * @param p50Micros median latency of production's batches of 64 touches in the last third
 * @param p99Micros 99th percentile of the same latencies
 * @param refaultedMegabytes memory that production took back during the run, MB
 * @param takenMegabytes memory that was reclaimed, MB
 * @param alive whether production was alive at the end
 */
record ReclaimCell(
    ReclaimLoad load,
    boolean reclaims,
    boolean again,
    double startMegabytes,
    double heldMegabytes,
    double offeredMegabytes,
    double touchesPerSecond,
    double p50Micros,
    double p99Micros,
    double refaultedMegabytes,
    double takenMegabytes,
    boolean alive) {
  /** Returns the name of the approach for the table. */
  String label() {
    return reclaims ? "limit and reclaim" : again ? "limit alone, again" : "limit alone";
  }

  /** Returns the share of production's memory that was saved, 0 to 1. */
  double saved() {
    return Math.max(0, 1 - heldMegabytes / startMegabytes);
  }

  /** Returns the share of production's memory that was refaulted per minute, 0 to 1. */
  double promotedPerMinute(double seconds) {
    return refaultedMegabytes / startMegabytes * 60 / seconds;
  }
}
