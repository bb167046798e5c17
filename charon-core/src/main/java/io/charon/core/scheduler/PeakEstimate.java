/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/**
 * The expected and the measured memory of a container that ended.
 *
 * @param expectedBytes the memory charged to it when it started
 * @param measuredBytes its highest working set; 0 if it was never measured
 */
public record PeakEstimate(long expectedBytes, long measuredBytes) {
  /** Returns whether the container was measured. */
  public boolean isMeasured() {
    return measuredBytes > 0;
  }

  /** Returns memory that could have been lent to others, in bytes; 0 if the estimate was low. */
  public long overestimatedBytes() {
    return Math.max(0, expectedBytes - measuredBytes);
  }

  /** Returns memory that it used beyond its charge, in bytes; 0 if the estimate was high. */
  public long underestimatedBytes() {
    return Math.max(0, measuredBytes - expectedBytes);
  }
}
