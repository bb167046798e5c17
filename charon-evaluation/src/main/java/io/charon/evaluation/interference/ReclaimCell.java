/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

/**
 * What one run measured.
 *
 * @param load the kind of production
 * @param reclaims whether cold memory was taken; else the memory limit was alone
 * @param again whether it is the second run without, in the same repetition
 * @param startMegabytes that production held before
 * @param heldMegabytes that it held at the end, swap not counted
 * @param offeredMegabytes the limit of best-effort, mean of the last third
 * @param touchesPerSecond production's speed in the last third
 * @param p50Micros of production's batches of 64 touches in the last third
 * @param p99Micros the same
 * @param refaultedMegabytes that came back to production over the whole length
 * @param takenMegabytes that were taken
 * @param alive whether production lived
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
  /** For the table. */
  String label() {
    return reclaims ? "limit and reclaim" : again ? "limit alone, again" : "limit alone";
  }

  /** What production holds less, of what it held before, 0 to 1. */
  double saved() {
    return Math.max(0, 1 - heldMegabytes / startMegabytes);
  }

  /** What came back in a minute, of what production held before, 0 to 1. */
  double promotedPerMinute(double seconds) {
    return refaultedMegabytes / startMegabytes * 60 / seconds;
  }
}
