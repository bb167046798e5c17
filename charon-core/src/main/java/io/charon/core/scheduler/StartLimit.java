/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;
import java.util.Collection;

/**
 * The number of best-effort containers that may be starting at the same time on a node (our
 * choice). The start of a container affects production most: a starting JVM occupies a processor
 * for one to two seconds, partly in the kernel, where a low weight does not hold it back.
 *
 * @param perCore number of starting containers for each core of the node, 0 or more; 0: no limit
 * @param window how long a container counts as starting after its launch, not negative
 */
public record StartLimit(double perCore, Duration window) {
  /** No limit. */
  public static final StartLimit NONE = new StartLimit(0, Duration.ZERO);

  /** Checks the ranges. */
  public StartLimit {
    if (!(perCore >= 0) || Double.isInfinite(perCore)) {
      throw new IllegalArgumentException("perCore must be 0 or more, got " + perCore);
    }
    if (window.isNegative()) {
      throw new IllegalArgumentException("window must not be negative, got " + window);
    }
  }

  /**
   * Returns whether no further container may start now.
   *
   * @param running the running containers
   * @param cores of the node, positive; 0 if unknown, which limits nothing
   * @param nowNanos the current time, on the clock of their launches
   */
  boolean isReached(Collection<RunningContainer> running, double cores, long nowNanos) {
    if (perCore == 0 || cores == 0) {
      return false;
    }
    long starting = running.stream().filter(container -> isStarting(container, nowNanos)).count();
    return starting >= Math.ceil(perCore * cores);
  }

  private boolean isStarting(RunningContainer container, long nowNanos) {
    return !container.found() && nowNanos - container.launchedNanos() < window.toNanos();
  }
}
