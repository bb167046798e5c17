/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * The limit on best-effort after one sample.
 *
 * @param limitBytes W of the law: it is published, and launches are admitted against it
 * @param move the change of the limit
 * @param dueBytes best-effort's use above W, which is reclaimed
 * @param freeBytes unused memory of the node
 * @param excessBytes clean page cache that others hold beyond their entitlement
 */
public record LimitDecision(
    long limitBytes, Move move, long dueBytes, long freeBytes, long excessBytes) {
  /**
   * The minimum enforced limit, because no process can run with less. If W is below it, no
   * container starts, and what best-effort uses above W is still due.
   */
  public static final long MIN_LIMIT_BYTES = 32L << 20;

  /** The change of the limit. */
  public enum Move {
    /** The limit stays. */
    STAY,
    /** Lowered at once, because others are entitled to the memory. */
    TAKE,
    /** Lowered to best-effort's use: it keeps the others' excess, but must not grow into it. */
    KEEP,
    /** Raised by a step. */
    GIVE
  }

  /** Returns the limit that the kernel enforces. */
  public long enforcedBytes() {
    return Math.max(limitBytes, MIN_LIMIT_BYTES);
  }
}
