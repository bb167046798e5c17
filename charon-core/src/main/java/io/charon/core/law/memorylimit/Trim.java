/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.util.Optional;

/**
 * Page cache to reclaim from a holder that exceeds its entitlement, because the reserve is used up:
 * for example, a production container that streams a file fills the node. Only pages of files are
 * reclaimed.
 *
 * @param name the holder's name
 * @param bytes the amount, reclaimed in pieces of at most {@link #PIECE_BYTES}
 */
public record Trim(String name, long bytes) {
  /** The maximum amount that is reclaimed at once, in bytes. */
  public static final long PIECE_BYTES = 32L << 20;

  private static final long BYTES_PER_MILLISECOND = 100_000;

  /**
   * Returns the amount to trim, if any.
   *
   * @param sample the holders of memory
   * @param freeBytes unused memory
   * @param reserveBytes memory that should be free
   * @param elapsedNanos time since the last call: at most 100 MB/s are reclaimed
   */
  public static Optional<Trim> of(
      SlowSample sample, long freeBytes, long reserveBytes, long elapsedNanos) {
    long missing =
        Math.min(reserveBytes - freeBytes, elapsedNanos / 1_000_000 * BYTES_PER_MILLISECOND);
    return missing <= 0
        ? Optional.empty()
        : sample
            .largestExcess()
            .map(holder -> new Trim(holder.name(), Math.min(missing, holder.excessBytes())));
  }
}
