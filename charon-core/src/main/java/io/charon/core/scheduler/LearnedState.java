/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What a scheduler has learned and the next one of this node continues with.
 *
 * @param peaks the measured peaks of all jobs
 * @param marginShare the {@link SafetyMargin} as a share of the node; empty if there is none, or it
 *     is not known
 */
public record LearnedState(List<JobPeaks> peaks, OptionalDouble marginShare) {
  /** Nothing. */
  public static final LearnedState NOTHING = new LearnedState(List.of(), OptionalDouble.empty());

  /** Copies the list. */
  public LearnedState {
    peaks = List.copyOf(peaks);
    Objects.requireNonNull(marginShare, "marginShare");
  }

  /**
   * Returns a state as it is kept in a file.
   *
   * @param marginShare null if it is not known
   */
  public static LearnedState of(List<JobPeaks> peaks, Double marginShare) {
    return new LearnedState(
        peaks, marginShare == null ? OptionalDouble.empty() : OptionalDouble.of(marginShare));
  }

  /** Returns the margin for a file; null if it is not known. */
  public Double marginOrNull() {
    return marginShare.isPresent() ? marginShare.getAsDouble() : null;
  }
}
