/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.util.Optional;

/**
 * Page cache to take from a holder who has more than his right, because nothing is left in reserve:
 * a production that streams a file fills the node. File pages only.
 *
 * @param name whose it is
 * @param bytes how much now, in pieces of at most {@link #PIECE_BYTES}
 */
public record Trim(String name, long bytes) {
  /** What is taken at a time. */
  public static final long PIECE_BYTES = 32L << 20;

  private static final long BYTES_PER_MILLISECOND = 100_000;

  /**
   * What to trim, if anything.
   *
   * @param look who holds what
   * @param freeBytes what nobody uses
   * @param reserveBytes what should be free
   * @param elapsedNanos since this was asked last: at most 100 MB/s are taken
   */
  public static Optional<Trim> of(
      SlowLook look, long freeBytes, long reserveBytes, long elapsedNanos) {
    long missing =
        Math.min(reserveBytes - freeBytes, elapsedNanos / 1_000_000 * BYTES_PER_MILLISECOND);
    return missing <= 0
        ? Optional.empty()
        : look.largestExcess()
            .map(holder -> new Trim(holder.name(), Math.min(missing, holder.excessBytes())));
  }
}
