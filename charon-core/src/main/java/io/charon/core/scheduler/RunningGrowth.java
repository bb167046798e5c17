/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;

/**
 * A running container, and whether it still grows: it has settled once its memory has grown by at
 * most a tenth in a minute (our choice). Age alone would not suffice: if processors are scarce, a
 * container takes minutes to reach its full size.
 */
final class RunningGrowth {
  /** The time over which growth is measured. Our choice. */
  static final Duration SETTLES_WITHIN = Duration.ofMinutes(1);

  /** The growth still expected of a settled container, as a share of its use. Our choice. */
  private static final double STILL_GROWS = 0.1;

  private LaunchRequest request;
  private long markedNanos;
  private long markedBytes;
  private long usedBytes;
  private long peakBytes;
  private boolean settled;
  private Growth charged;

  /**
   * Creates a container that has just started or was found running.
   *
   * @param charged the memory that it is expected to need
   */
  RunningGrowth(LaunchRequest request, long nowNanos, Growth charged) {
    this.request = request;
    this.markedNanos = nowNanos;
    this.charged = charged;
  }

  LaunchRequest request() {
    return request;
  }

  /** Records more information about its job. */
  void jobKnown(LaunchRequest named) {
    request = named;
  }

  long usedBytes() {
    return usedBytes;
  }

  long peakBytes() {
    return peakBytes;
  }

  boolean hasSettled() {
    return settled;
  }

  /** Returns its expected growth beyond its use, as of the last reading. */
  Growth charged() {
    return charged;
  }

  /** Records its memory. */
  void observed(long bytes, long nowNanos) {
    usedBytes = bytes;
    peakBytes = Math.max(peakBytes, bytes);
    if (nowNanos - markedNanos >= SETTLES_WITHIN.toNanos()) {
      settled = markedBytes > 0 && bytes <= markedBytes * (1 + STILL_GROWS);
      markedBytes = bytes;
      markedNanos = nowNanos;
    }
  }

  /**
   * Records that it may stand still or was not measured, so that memory that does not grow says
   * nothing about it.
   */
  void standStill(long nowNanos) {
    markedNanos = nowNanos;
  }

  /**
   * Computes its expected further growth.
   *
   * @param peak the expected total need of a container of its job
   */
  void charge(Growth peak) {
    double leftBytes = (double) request.requestedBytes() - usedBytes;
    charged =
        (settled
                ? new Growth(0, usedBytes * STILL_GROWS)
                : new Growth(Math.max(0, peak.meanBytes() - usedBytes), peak.deviationBytes()))
            .within(leftBytes);
  }
}
