/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * A fast sample, taken every 20 ms.
 *
 * @param nanos the time of the sample
 * @param nodeBytes the node's use
 * @param bestEffortBytes best-effort's part of it
 * @param cleanGrownBytes growth of the clean page cache of all others since the last slow sample; 0
 *     if it was not measured. It matters only if the others hold more than they were owed: growth
 *     of clean page cache is then excess, and any other growth is need
 */
public record FastSample(long nanos, long nodeBytes, long bestEffortBytes, long cleanGrownBytes) {
  /** Checks the ranges. */
  public FastSample {
    if (nodeBytes < 0 || bestEffortBytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative");
    }
  }
}
