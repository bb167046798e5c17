/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.time.Duration;
import java.util.Optional;

/**
 * The time that a benchmark may take, from now on. Benchmarks ask before each step that they can do
 * without; a step that has begun is finished.
 */
public final class TimeBudget {
  private final Optional<Duration> limit;
  private final long start = System.nanoTime();
  private boolean cutShort;

  private TimeBudget(Optional<Duration> limit) {
    this.limit = limit;
  }

  /** As long as it takes. */
  public static TimeBudget unlimited() {
    return new TimeBudget(Optional.empty());
  }

  /** So long. */
  public static TimeBudget of(Duration limit) {
    return new TimeBudget(Optional.of(limit));
  }

  /**
   * Whether the next step, and all after it, are left out.
   *
   * @param done steps so far: the first one is never left out
   */
  public boolean isOver(int done) {
    if (done > 0 && limit.isPresent() && System.nanoTime() - start >= limit.get().toNanos()) {
      cutShort = true;
    }
    return cutShort;
  }

  /** Whether a step was left out. */
  public boolean cutShort() {
    return cutShort;
  }
}
