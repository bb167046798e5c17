/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/** How a container's memory grew. */
final class GrowthSample {
  private final long requestedBytes;
  private final long peakBytes;
  private final long[] bytesAtAges;

  /**
   * A container that ran to its end, or is expected to come to this.
   *
   * @param requestedBytes what its application asked for, at least 1
   * @param peakBytes its highest working set, at least 1
   * @param bytesAtAges working set when it had each of {@link GrowthProfile}'s ages, in their
   *     order; 0 where it was not measured or the container did not live so long
   */
  GrowthSample(long requestedBytes, long peakBytes, long[] bytesAtAges) {
    this.requestedBytes = requestedBytes;
    this.peakBytes = peakBytes;
    this.bytesAtAges = bytesAtAges.clone();
  }

  long peakBytes() {
    return peakBytes;
  }

  double shareOfRequest() {
    return (double) peakBytes / requestedBytes;
  }

  long bytesAt(int age) {
    return bytesAtAges[age];
  }
}
