/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.time.Duration;
import java.util.Optional;

/**
 * The time that a benchmark may take, from the creation of this object. Benchmarks ask before each
 * step that can be left out; a step that has begun is always finished.
 */
public final class TimeBudget {
  private final Optional<Duration> limit;
  private final long start = System.nanoTime();
  private boolean cutShort;

  private TimeBudget(Optional<Duration> limit) {
    this.limit = limit;
  }

  /** Returns a budget without a limit. */
  public static TimeBudget unlimited() {
    return new TimeBudget(Optional.empty());
  }

  /** Returns a budget of the given length. */
  public static TimeBudget of(Duration limit) {
    return new TimeBudget(Optional.of(limit));
  }

  /**
   * Returns whether the next step and all later ones are to be left out.
   *
   * @param done steps completed; the first step is never left out
   */
  public boolean isExhausted(int done) {
    if (done > 0 && limit.isPresent() && System.nanoTime() - start >= limit.get().toNanos()) {
      cutShort = true;
    }
    return cutShort;
  }

  /** Returns whether a step was left out. */
  public boolean cutShort() {
    return cutShort;
  }
}
