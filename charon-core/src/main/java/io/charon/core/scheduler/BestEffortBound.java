/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Bounds the memory that best-effort as a whole may use, so that a reserve for others is kept. It
 * is a second bound on launches: the policy determines the free memory, and this bound determines
 * how much of it is for best-effort.
 *
 * <p>A running container counts with the larger of its expected peak and its current use, because a
 * container that has just started does not use its memory yet.
 */
final class BestEffortBound {
  private OptionalLong limitBytes = OptionalLong.empty();
  private Map<String, Long> usedBytes = Map.of();

  /** Sets the bound; empty for none. */
  void limit(OptionalLong bytes) {
    limitBytes = bytes;
  }

  /** Records the containers' use, in bytes by container id; ignored if there is no bound. */
  void observed(Map<String, Long> used) {
    usedBytes = limitBytes.isPresent() ? Map.copyOf(used) : Map.of();
  }

  /**
   * Returns why a container may not start in addition to the running ones; empty if it may.
   *
   * @param expectedPeakBytes the container's expected peak
   */
  Optional<LaunchVerdict> refusal(long expectedPeakBytes, Collection<RunningContainer> running) {
    if (limitBytes.isEmpty()) {
      return Optional.empty();
    }
    long left = limitBytes.getAsLong();
    for (RunningContainer container : running) {
      long used = usedBytes.getOrDefault(container.request().containerId(), 0L);
      left -= Math.max(used, container.expectedPeakBytes());
    }
    return expectedPeakBytes <= left
        ? Optional.empty()
        : Optional.of(
            new LaunchVerdict(false, LaunchVerdict.Reason.RESERVED, expectedPeakBytes, left));
  }
}
