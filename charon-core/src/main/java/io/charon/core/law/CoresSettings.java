/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.cpuset.CorePlacement;
import java.time.Duration;
import java.util.Optional;

/**
 * How the cores of best-effort follow the foreground.
 *
 * @param followLoad whether best-effort also leaves cores to foreground that is not pinned,
 *     according to its load; otherwise only pinned foreground counts
 * @param minimum the number of cores that best-effort always keeps; at least 1, because a cpuset
 *     cannot be empty
 * @param headroomCores the free cores above the foreground's mean load; not negative
 * @param window w: the time over which that mean is taken; positive
 * @param waterLine if present, at least the cores above it stay free, and best-effort also shrinks
 *     according to the current load
 * @param placement where further cores are chosen
 */
public record CoresSettings(
    boolean followLoad,
    int minimum,
    double headroomCores,
    Duration window,
    Optional<WaterLine> waterLine,
    CorePlacement placement) {
  /** Creates settings without a water line, with cores from all NUMA nodes in turn. */
  public CoresSettings(boolean followLoad, int minimum, double headroomCores, Duration window) {
    this(followLoad, minimum, headroomCores, window, Optional.empty(), CorePlacement.SPREAD);
  }

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public CoresSettings {
    if (minimum < 1) {
      throw new IllegalArgumentException("minimum must be at least 1, was " + minimum);
    }
    if (!(headroomCores >= 0 && headroomCores <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "headroomCores must be finite and not negative, was " + headroomCores);
    }
    if (window.isZero() || window.isNegative()) {
      throw new IllegalArgumentException("window must be positive, was " + window);
    }
  }
}
