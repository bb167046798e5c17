/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import io.charon.core.freeze.FreezeDecision;
import io.charon.core.freeze.Frozen;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The containers that are frozen, with the reason for each. Not thread-safe. */
final class FrozenContainers {
  /** How long a container that could not be frozen is left alone (our choice). */
  static final Duration FAILED = Duration.ofSeconds(10);

  private final Map<String, Frozen> frozen = new HashMap<>();
  private final Map<String, String> reasons = new HashMap<>();
  private final Set<String> killed = new HashSet<>();
  private final Map<String, Long> failedNanos = new HashMap<>();
  private Optional<Long> changedNanos = Optional.empty();

  void froze(FreezeDecision decision, long nowNanos) {
    frozen.put(decision.containerId(), Frozen.now(decision.containerId(), nowNanos));
    reasons.put(decision.containerId(), decision.reason());
  }

  /** Records that a container could not be frozen. */
  void failed(String containerId, long nowNanos) {
    failedNanos.put(containerId, nowNanos);
  }

  /** Returns whether a container could not be frozen a moment ago: another one may be. */
  boolean hasFailed(String containerId, long nowNanos) {
    Long failed = failedNanos.get(containerId);
    return failed != null && nowNanos - failed < FAILED.toNanos();
  }

  void asked(String containerId) {
    frozen.computeIfPresent(containerId, (id, container) -> container.asked());
  }

  void reclaimed(String containerId, long bytes) {
    frozen.computeIfPresent(containerId, (id, container) -> container.reclaimed(bytes));
  }

  /** Marks a container that is about to be killed; it stays frozen until it has been. */
  void killed(String containerId) {
    killed.add(containerId);
  }

  /** Handles a kill that was refused or failed: the container may be killed later. */
  void spare(String containerId) {
    killed.remove(containerId);
  }

  /** Records the time of an action whose effect on the node's memory takes a while to show. */
  void changed(long nowNanos) {
    changedNanos = Optional.of(nowNanos);
  }

  /**
   * Removes a container that is no longer frozen.
   *
   * @return whether it was frozen
   */
  boolean forget(String containerId) {
    reasons.remove(containerId);
    return frozen.remove(containerId) != null;
  }

  /** Forgets all containers that have ended. */
  void retain(List<String> running) {
    frozen.keySet().retainAll(running);
    reasons.keySet().retainAll(running);
    killed.retainAll(running);
    failedNanos.keySet().retainAll(running);
  }

  boolean isFrozen(String containerId) {
    return frozen.containsKey(containerId);
  }

  /** Returns whether the container was killed and is expected to end soon. */
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
