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
 * Records which running containers got their cgroup and score from Charon when they started, and
 * which started untouched because Charon did not act then. This does not change while a container
 * runs, even if the mode changes. Thread-safe.
 */
public final class PlacedContainers {
  private final Map<String, Boolean> containers = new ConcurrentHashMap<>();

  /**
   * Records a container that starts or was found running.
   *
   * @param placed whether Charon places it now or placed it earlier
   */
  public void started(String containerId, boolean placed) {
    containers.put(containerId, placed);
  }

  /** Removes a container that has ended. */
  public void ended(String containerId) {
    containers.remove(containerId);
  }

  /** Returns whether a container is running and untouched. */
  public boolean isUntouched(String containerId) {
    return Boolean.FALSE.equals(containers.get(containerId));
  }

  /** Returns the ids of the running untouched containers. */
  public Set<String> untouched() {
    return containers.entrySet().stream()
        .filter(entry -> !entry.getValue())
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the number of running containers that Charon placed. */
  public int placed() {
    return (int) containers.values().stream().filter(Boolean::booleanValue).count();
  }
}
