/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;

/**
 * How long a best-effort container that came now would wait on this node: what the ResourceManager
 * is told to place by (Mercury's estimated queue wait). Places in the queue times the time between
 * two starts from it; the one that the first is waiting for counts as soon as it is longer than the
 * average, so that a node on which nothing starts any more looks worse with every second. Of two
 * nodes on which nobody waits, the one with more memory free is told as better (ours).
 */
public final class QueueWaitEstimator {
  /** Time between two starts until one was measured (ours). */
  private static final double FIRST_GUESS_NANOS = 1e9;

  /** Weight of the newest time between two starts in the average (ours). */
  private static final double WEIGHT_OF_NEWEST = 0.2;

  /** What a node without any free memory adds, though nobody waits there yet (ours). */
  private static final double FULL_NODE_NANOS = 1e9;

  private static final double LONGEST_NANOS = Duration.ofDays(1).toNanos();

  private double averageNanos = FIRST_GUESS_NANOS;
  private long firstWaitsSinceNanos;

  /**
   * A container joined an empty queue.
   *
   * @param nowNanos now, on the caller's monotonic clock
   */
  public void firstQueued(long nowNanos) {
    firstWaitsSinceNanos = nowNanos;
  }

  /**
   * A container started from the queue.
   *
   * @param nowNanos now
   */
  public void startedFromQueue(long nowNanos) {
    averageNanos +=
        WEIGHT_OF_NEWEST * (Math.max(0, nowNanos - firstWaitsSinceNanos) - averageNanos);
    firstWaitsSinceNanos = nowNanos;
  }

  /**
   * The estimate.
   *
   * @param waiting containers that wait now
   * @param delayNanos how long launches are still delayed after a kill
   * @param freeShare share of the node's memory that best-effort may take now; held within 0 and 1
   * @param nowNanos now
   * @return at most a day
   */
  public Duration estimate(int waiting, long delayNanos, double freeShare, long nowNanos) {
    double waitNanos = Math.max(0, delayNanos);
    if (waiting > 0) {
      waitNanos +=
          (waiting + 1) * Math.max(averageNanos, (double) (nowNanos - firstWaitsSinceNanos));
    }
    waitNanos += FULL_NODE_NANOS * (1 - Math.max(0, Math.min(1, freeShare)));
    return Duration.ofNanos((long) Math.min(LONGEST_NANOS, waitNanos));
  }
}
