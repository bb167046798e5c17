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
 * How much memory best-effort may hold altogether beside a reserve for others. A second bound on
 * launches: the policy says what is free now, this one says how much of it is for best-effort.
 *
 * <p>A running container counts with its expected peak, because one that has just started does not
 * use its memory yet, or with what it uses if that is more.
 */
final class BestEffortBound {
  private OptionalLong limitBytes = OptionalLong.empty();
  private Map<String, Long> usedBytes = Map.of();

  /** Sets the bound; empty for none. */
  void limit(OptionalLong bytes) {
    limitBytes = bytes;
  }

  /** Containers were measured, bytes by container id; of interest only where there is a bound. */
  void observed(Map<String, Long> used) {
    usedBytes = limitBytes.isPresent() ? Map.copyOf(used) : Map.of();
  }

  /**
   * Why a container may not start beside those that run; empty if it may.
   *
   * @param expectedPeakBytes what it is expected to need at most
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
