/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;

/**
 * A container that runs, and whether it still grows: it has settled once its memory has grown by no
 * more than a tenth in a minute (ours). Age alone would not tell: where processors are short, a
 * container needs minutes to come to what it needs.
 */
final class RunningGrowth {
  /** Memory is compared with what it was so long ago (ours). */
  static final Duration SETTLES_WITHIN = Duration.ofMinutes(1);

  /** One that has settled may still use so much more, as a share of what it uses (ours). */
  private static final double STILL_GROWS = 0.1;

  private LaunchRequest request;
  private long markedNanos;
  private long markedBytes;
  private long usedBytes;
  private long peakBytes;
  private boolean settled;
  private Growth charged;

  /**
   * One that has just started, or was found.
   *
   * @param charged what it is expected to need
   */
  RunningGrowth(LaunchRequest request, long nowNanos, Growth charged) {
    this.request = request;
    this.markedNanos = nowNanos;
    this.charged = charged;
  }

  LaunchRequest request() {
    return request;
  }

  /** More is known of its job. */
  void named(LaunchRequest named) {
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

  /** What it is expected to need beyond what it uses, as of the last reading. */
  Growth charged() {
    return charged;
  }

  /** Its memory was read; one that is not measured uses 0, and never settles. */
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
   * Works out what it is expected to need yet.
   *
   * @param peak what a container of its job is expected to need altogether
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
