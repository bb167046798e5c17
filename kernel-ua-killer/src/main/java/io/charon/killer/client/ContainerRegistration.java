/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

/**
 * A container as registered with the kernel killer.
 *
 * @param startNanos its start on {@link System#nanoTime}'s clock (CLOCK_MONOTONIC on Linux); 0: the
 *     time that is registered already, or else the time when the kernel first sees it
 * @param score 1 to 1000: it may be killed; 0: it is only watched
 * @param entitledBytes its entitlement to memory, page cache included, at most 2^53; 0: none is
 *     known, as for all containers that may be killed
 */
public record ContainerRegistration(long startNanos, int score, long entitledBytes) {
  private static final int HIGHEST_SCORE = 1000;
  private static final long MAX_ENTITLED = 1L << 53;

  /** Checks the ranges. */
  public ContainerRegistration {
    if (score < 0 || score > HIGHEST_SCORE) {
      throw new IllegalArgumentException("score " + score + " is not within 0 and 1000");
    }
    if (entitledBytes < 0 || entitledBytes > MAX_ENTITLED || (score > 0 && entitledBytes > 0)) {
      throw new IllegalArgumentException(
          "entitledBytes "
              + entitledBytes
              + " is not within 0 and 2^53, or belongs to a container that may be killed");
    }
  }

  /** Creates a registration without an entitlement. */
  public ContainerRegistration(long startNanos, int score) {
    this(startNanos, score, 0);
  }
}
