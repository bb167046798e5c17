/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * What a fast look sees, every 20 ms.
 *
 * @param nanos when
 * @param nodeBytes the node's use
 * @param bestEffortBytes best-effort's use in it
 * @param cleanGrownBytes by how much others' clean page cache has grown since the slow look; 0 if
 *     nobody looked. Needed only when others hold more than they were owed: page cache is then
 *     excess, anything else is need
 */
public record FastLook(long nanos, long nodeBytes, long bestEffortBytes, long cleanGrownBytes) {
  /** Checks the ranges. */
  public FastLook {
    if (nodeBytes < 0 || bestEffortBytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative");
    }
  }
}
