/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import io.charon.core.freeze.Frozen;
import io.charon.core.freeze.PauseDecision;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The books of who is frozen; not thread-safe. */
final class PausedContainers {
  private final Map<String, Frozen> frozen = new HashMap<>();
  private final Map<String, String> reasons = new HashMap<>();
  private final Set<String> killed = new HashSet<>();
  private Optional<Long> changedNanos = Optional.empty();

  void froze(PauseDecision decision, long nowNanos) {
    frozen.put(decision.containerId(), Frozen.now(decision.containerId(), nowNanos));
    reasons.put(decision.containerId(), decision.reason());
  }

  void asked(String containerId) {
    frozen.computeIfPresent(containerId, (id, container) -> container.asked());
  }

  void reclaimed(String containerId, long bytes) {
    frozen.computeIfPresent(containerId, (id, container) -> container.reclaimed(bytes));
  }

  void killed(String containerId) {
    forget(containerId);
    killed.add(containerId);
  }

  /** The kill failed. */
  void spare(String containerId) {
    killed.remove(containerId);
  }

  /** Something was tried; the node's memory will show it in a while. */
  void changed(long nowNanos) {
    changedNanos = Optional.of(nowNanos);
  }

  /**
   * It is not frozen any more.
   *
   * @return whether it was
   */
  boolean forget(String containerId) {
    reasons.remove(containerId);
    return frozen.remove(containerId) != null;
  }

  /** Forgets what was known of containers that have ended. */
  void retain(List<String> running) {
    frozen.keySet().retainAll(running);
    reasons.keySet().retainAll(running);
    killed.retainAll(running);
  }

  boolean isFrozen(String containerId) {
    return frozen.containsKey(containerId);
  }

  /** Whether it was killed, and should be gone soon. */
  boolean isKilled(String containerId) {
    return killed.contains(containerId);
  }

  boolean isEmpty() {
    return frozen.isEmpty();
  }

  Map<String, Frozen> frozen() {
    return Map.copyOf(frozen);
  }

  String reason(String containerId) {
    return reasons.getOrDefault(containerId, "");
  }

  Optional<Long> changedNanos() {
    return changedNanos;
  }
}
