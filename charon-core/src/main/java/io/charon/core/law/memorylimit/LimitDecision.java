/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * What best-effort may hold now.
 *
 * @param wallBytes W of the law: published, and launches are admitted against it
 * @param move what was done to it
 * @param dueBytes what best-effort holds above W, and is taken back
 * @param freeBytes what of the node nobody uses
 * @param excessBytes clean page cache that others hold beyond their right
 */
public record LimitDecision(
    long wallBytes, Move move, long dueBytes, long freeBytes, long excessBytes) {
  /** Below that no process can live: the limit stays here, nobody starts, and who is left dies. */
  public static final long MIN_LIMIT_BYTES = 32L << 20;

  /** What was done to the limit. */
  public enum Move {
    /** Nothing. */
    STAY,
    /** Lowered at once: others need it by right. */
    TAKE,
    /** Lowered to what best-effort holds: it keeps others' excess, and does not grow into it. */
    KEEP,
    /** Raised by a step. */
    GIVE
  }

  /** What the kernel enforces. */
  public long limitBytes() {
    return Math.max(wallBytes, MIN_LIMIT_BYTES);
  }
}
