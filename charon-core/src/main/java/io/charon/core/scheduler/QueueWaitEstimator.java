/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;

/**
 * Estimates how long a best-effort container that arrived now would wait on this node; the
 * ResourceManager places containers by this number (Mercury's estimated queue wait). The estimate
 * is the number of places in the queue times the time between two starts from it. Once the first
 * container has waited longer than the average, its waiting time is used instead, so that a node on
 * which nothing starts any more looks worse with every second. Of two nodes with empty queues, the
 * one with more free memory has the smaller estimate (our choice).
 */
public final class QueueWaitEstimator {
  /** Time between two starts before any was measured. Our choice. */
  private static final double FIRST_GUESS_NANOS = 1e9;

  /** Weight of the newest time between two starts in the moving average. Our choice. */
  private static final double WEIGHT_OF_NEWEST = 0.2;

  /** The time that a node without any free memory adds, even if its queue is empty. Our choice. */
  private static final double FULL_NODE_NANOS = 1e9;

  private static final double LONGEST_NANOS = Duration.ofDays(1).toNanos();

  private double averageNanos = FIRST_GUESS_NANOS;
  private long firstWaitsSinceNanos;

  /**
   * Records that a container joined an empty queue.
   *
   * @param nowNanos the current time, on the caller's monotonic clock
   */
  public void firstQueued(long nowNanos) {
    firstWaitsSinceNanos = nowNanos;
  }

  /**
   * Records that a container started from the queue.
   *
   * @param nowNanos the current time
   */
  public void startedFromQueue(long nowNanos) {
    averageNanos +=
        WEIGHT_OF_NEWEST * (Math.max(0, nowNanos - firstWaitsSinceNanos) - averageNanos);
    firstWaitsSinceNanos = nowNanos;
  }

  /**
   * Returns the estimate.
   *
   * @param waiting number of waiting containers
   * @param delayNanos how long launches are still delayed after a kill
   * @param freeShare share of the node's memory that best-effort may use now; clamped to 0 to 1
   * @param nowNanos the current time
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
