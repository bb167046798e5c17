/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Bounds the memory that best-effort as a whole may use, so that a reserve for others is kept. It
 * is a second bound on launches: the policy determines the free memory, and this bound determines
 * how much of it is for best-effort.
 *
 * <p>A container that has just started does not use its memory yet. So the running ones count with
 * what the policy expects all of them to hold or, if it expects each to reach its own peak, each
 * with the larger of that and its current use.
 */
final class BestEffortBound {
  private OptionalLong limitBytes = OptionalLong.empty();
  private Map<String, Long> usedBytes = Map.of();

  /** Sets the bound; empty for none. */
  void limit(OptionalLong bytes) {
    limitBytes = bytes;
  }

  /**
   * Sets the containers' use, in bytes by container id; a running one that is missing keeps its
   * last use. The map is not copied.
   */
  void observed(Map<String, Long> used, Collection<RunningContainer> running) {
    Map<String, Long> kept = new HashMap<>();
    for (RunningContainer container : running) {
      String id = container.request().containerId();
      if (!used.containsKey(id) && usedBytes.containsKey(id)) {
        kept.put(id, usedBytes.get(id));
      }
    }
    if (kept.isEmpty()) {
      usedBytes = used;
    } else {
      kept.putAll(used);
      usedBytes = kept;
    }
  }

  /**
   * Returns why a container may not start in addition to the running ones; empty if it may.
   *
   * @param neededBytes the memory that the container is expected to need
   * @param running the running containers
   * @param expectedBytes what they are expected to hold together; empty to count each one's peak
   */
  Optional<LaunchVerdict> refusal(
      long neededBytes, Collection<RunningContainer> running, OptionalLong expectedBytes) {
    long left = leftBytes(running, expectedBytes);
    return neededBytes <= left
        ? Optional.empty()
        : Optional.of(new LaunchVerdict(false, LaunchVerdict.Reason.RESERVED, neededBytes, left));
  }

  /**
   * Returns how much memory the next container may need; {@link Long#MAX_VALUE} without a bound.
   *
   * @param running the running containers
   * @param expectedBytes what they are expected to hold together; empty to count each one's peak
   */
  long leftBytes(Collection<RunningContainer> running, OptionalLong expectedBytes) {
    if (limitBytes.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long used = 0;
    long peaks = 0;
    for (RunningContainer container : running) {
      long now = usedBytes.getOrDefault(container.request().containerId(), 0L);
      used += now;
      peaks += Math.max(now, container.expectedPeakBytes());
    }
    return limitBytes.getAsLong() - Math.max(used, expectedBytes.orElse(peaks));
  }

  /** Returns whether a container that needs this memory could start if no other one ran. */
  boolean couldEverFit(long neededBytes) {
    return limitBytes.isEmpty() || neededBytes <= limitBytes.getAsLong();
  }
}
