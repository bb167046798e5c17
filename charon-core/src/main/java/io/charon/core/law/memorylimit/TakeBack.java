/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.time.Duration;

/**
 * Decides how much of best-effort's use above its limit is reclaimed by kills.
 *
 * <p>Its clean page cache is dropped first, and is never a reason to kill: if production grows
 * faster than it is dropped (1 GB/s), production reclaims the rest itself at little cost.
 * Containers are killed for what it does not cover, once that has lasted 100 ms.
 */
public final class TakeBack {
  /** How long a shortage that page cache does not cover may last before a kill. Our choice. */
  public static final Duration TIMEOUT = Duration.ofMillis(100);

  private boolean uncovered;
  private long uncoveredSinceNanos;

  /**
   * Returns the memory to release by kills now, in bytes; to be called at every sample, even if
   * nothing is due.
   *
   * @param shortage the amount due and what covers it
   * @param nowNanos the current time
   */
  public long killBytes(Shortage shortage, long nowNanos) {
    long rest = Math.max(0, shortage.dueBytes() - shortage.cleanCacheBytes());
    if (rest <= shortage.toleratedBytes()) {
      uncovered = false;
      return 0;
    }
    if (!uncovered || nowNanos - uncoveredSinceNanos < 0) {
      uncovered = true;
      uncoveredSinceNanos = nowNanos;
    }
    return nowNanos - uncoveredSinceNanos >= TIMEOUT.toNanos() ? rest : 0;
  }
}
