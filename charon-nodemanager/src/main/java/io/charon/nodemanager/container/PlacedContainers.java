/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Which of the containers that run got their cgroup and score from Charon when they started, and
 * which started untouched, because Charon did not act then. Neither becomes the other while it
 * runs, whatever the mode is by now. Thread-safe.
 */
public final class PlacedContainers {
  private final Map<String, Boolean> containers = new ConcurrentHashMap<>();

  /**
   * A container starts, or was found running.
   *
   * @param placed whether Charon gives it its place, or did
   */
  public void started(String containerId, boolean placed) {
    containers.put(containerId, placed);
  }

  /** A container has ended. */
  public void ended(String containerId) {
    containers.remove(containerId);
  }

  /** Whether a container runs and is untouched. */
  public boolean isUntouched(String containerId) {
    return Boolean.FALSE.equals(containers.get(containerId));
  }

  /** Ids of those that run untouched. */
  public Set<String> untouched() {
    return containers.entrySet().stream()
        .filter(entry -> !entry.getValue())
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** How many run where Charon placed them. */
  public int placed() {
    return (int) containers.values().stream().filter(Boolean::booleanValue).count();
  }
}
