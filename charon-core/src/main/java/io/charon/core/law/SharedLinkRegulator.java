/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.mechanism.Change;
import java.util.Optional;

/**
 * Lets best-effort have all of a link that the foreground leaves, where a packet filter sees to it
 * that its packets give way to the foreground's within milliseconds (ours). There is nothing to
 * learn and to violate: the limit is a share of the capacity, from the first observation on.
 */
public final class SharedLinkRegulator implements Regulator {
  /**
   * What both together may fill of the link (ours): with all of it, the queue before the link would
   * never empty, and the foreground would wait in it.
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
