/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/**
 * The measured peak of one finished container.
 *
 * @param peakBytes its highest working set, above 0
 * @param requestedBytes the memory that its application asked for; 0 if that is no longer known
 * @param atMillis when it ended: wall clock, milliseconds since 1970, at least 0
 * @param own whether it ran on this node; false if another node reported it
 */
public record PeakSample(long peakBytes, long requestedBytes, long atMillis, boolean own) {
  /** Checks the ranges. */
  public PeakSample {
    if (peakBytes <= 0 || requestedBytes < 0 || atMillis < 0) {
      throw new IllegalArgumentException(
          "the peak must be above 0, request and time at least 0; got %d, %d, %d"
              .formatted(peakBytes, requestedBytes, atMillis));
    }
  }

  /** Returns whether both are samples of one container, assumed if all numbers are equal (ours). */
  boolean isSame(PeakSample other) {
    return peakBytes == other.peakBytes
        && requestedBytes == other.requestedBytes
        && atMillis == other.atMillis;
  }
}
