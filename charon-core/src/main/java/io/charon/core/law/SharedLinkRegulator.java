/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.mechanism.Change;
import java.util.Optional;

/**
 * Lets best-effort use all of a link that the foreground leaves, if a packet filter lets its
 * packets yield to the foreground's within milliseconds. Our design, not from a paper. Nothing is
 * learned, and there are no violations: the limit is a share of the capacity, from the first
 * observation on.
 */
public final class SharedLinkRegulator implements Regulator {
  /**
   * The share of the link that both together may fill. Our choice: with the whole link, the queue
   * before it would never empty, and the foreground would wait in that queue.
   */
  private static final double FILLED = 0.95;

  private double limit;

  @Override
  public Decision decide(Observation observation) {
    double before = limit;
    limit = FILLED * observation.capacity();
    return new Decision(
        Change.between(before, limit),
        limit,
        Cause.SHARED,
        observation,
        Optional.empty(),
        Optional.empty());
  }
}
