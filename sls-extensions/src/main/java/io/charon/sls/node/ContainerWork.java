/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.util.Objects;

/**
 * The work of a container, as it would be undisturbed.
 *
 * @param usedCores processor time per second of undisturbed run, cores
 * @param nanos duration of the undisturbed work; {@link #ENDLESS} runs until it is stopped
 * @param usage memory over progress
 * @param startsAt progress at the start, 0 to 1; above 0 only for tasks that the oracle moved
 * @param start activity before the work begins
 */
public record ContainerWork(
    double usedCores, long nanos, UsageCurve usage, double startsAt, ContainerStart start) {
  /** Work of a container that runs until it is stopped, such as an ApplicationMaster. */
  public static final long ENDLESS = Long.MAX_VALUE;

  /** Checks the ranges. */
  public ContainerWork {
    Objects.requireNonNull(usage, "usage");
    Objects.requireNonNull(start, "start");
    if (!(usedCores >= 0) || nanos < 1 || !(startsAt >= 0 && startsAt <= 1)) {
      throw new IllegalArgumentException(
          "a container needs work, no negative cores and a start within 0 and 1, got %d, %s, %s"
              .formatted(nanos, usedCores, startsAt));
    }
  }

  /** Creates work without a start phase, from progress 0. */
  public ContainerWork(double usedCores, long nanos, UsageCurve usage) {
    this(usedCores, nanos, usage, 0, ContainerStart.NONE);
  }

  /** Returns whether the container runs until it is stopped. */
  public boolean isEndless() {
    return nanos == ENDLESS;
  }

  /** Returns the undisturbed run time, including the start, in nanoseconds. */
  double runNanos() {
    return start.nanos() + (1 - startsAt) * nanos;
  }

  /**
   * Returns the highest memory use between two times after the start, at full speed, in bytes; 0 if
   * the work would have ended by then.
   */
  public double peakBytesWithin(double fromNanos, double toNanos) {
    return isEndless()
        ? usage.first().peakWithin(startsAt, 1, 0, 0)
        : usage
            .first()
            .peakWithin(
                startsAt,
                (double) nanos,
                Math.max(0, fromNanos - start.nanos()),
                Math.max(0, toNanos - start.nanos()));
  }
}
