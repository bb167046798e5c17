/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/**
 * What a container that ended was expected to need, beside what it needed.
 *
 * @param expectedBytes what it was charged with when it started
 * @param measuredBytes its highest working set; 0 if it was never measured
 */
public record PeakEstimate(long expectedBytes, long measuredBytes) {
  /** Whether there is anything to compare. */
  public boolean isMeasured() {
    return measuredBytes > 0;
  }

  /** Memory that could have been lent to others, bytes; 0 if it was expected to need less. */
  public long overestimatedBytes() {
    return Math.max(0, expectedBytes - measuredBytes);
  }

  /** Memory that it took without being charged for, bytes; 0 if it was expected to need more. */
  public long underestimatedBytes() {
    return Math.max(0, measuredBytes - expectedBytes);
  }
}
