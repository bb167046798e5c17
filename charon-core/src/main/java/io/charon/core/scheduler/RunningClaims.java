/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The best-effort containers that run now, in launch order, and their claims. */
final class RunningClaims implements Claims {
  private final ToLongFunction<LaunchRequest> expected;
  private final Map<String, RunningContainer> running = new LinkedHashMap<>();

  /** Sums since the last change: a queue is looked at far more often than containers change. */
  private final Map<Function<Owner, String>, Map<String, Long>> heldBytes = new HashMap<>();

  /**
   * Creates an instance without containers.
   *
   * @param expected the memory that would be charged to a container if it started now, in bytes
   */
  RunningClaims(ToLongFunction<LaunchRequest> expected) {
    this.expected = Objects.requireNonNull(expected, "expected");
  }

  /** Returns a view of the containers. */
  Collection<RunningContainer> containers() {
    return Collections.unmodifiableCollection(running.values());
  }

  /** Returns a container; null if it does not run. */
  RunningContainer get(String containerId) {
    return running.get(containerId);
  }

  /** Adds a container, or replaces what is known about one that runs. */
  void put(RunningContainer container) {
    running.put(container.request().containerId(), container);
    heldBytes.clear();
  }

  /** Removes a container and returns it; null if it did not run. */
  RunningContainer remove(String containerId) {
    heldBytes.clear();
    return running.remove(containerId);
  }

  @Override
  public Map<String, Long> heldBytes(Function<Owner, String> account) {
    return heldBytes.computeIfAbsent(account, this::addUp);
  }

  private Map<String, Long> addUp(Function<Owner, String> account) {
    Map<String, Long> sums = new HashMap<>();
    for (RunningContainer container : running.values()) {
      sums.merge(
          account.apply(container.request().owner()), container.expectedPeakBytes(), Long::sum);
    }
    return Collections.unmodifiableMap(sums);
  }

  @Override
  public long expectedBytes(LaunchRequest request) {
    return expected.applyAsLong(request);
  }
}
