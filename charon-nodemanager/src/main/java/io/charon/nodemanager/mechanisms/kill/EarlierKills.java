/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Kills by the kernel killer while no NodeManager was running. The victims have no processes left
 * and lose their cgroups when the NodeManager starts, so only the cgroup ids read before that lead
 * from a decision to its container. YARN may ask at any later time how a container ended. Not
 * thread-safe.
 */
final class EarlierKills {
  private final Map<Long, String> left;
  private final Set<String> reacquired = new HashSet<>();
  private final Map<String, KernelKill> untold = new HashMap<>();

  /**
   * Creates an instance that knows of no kill.
   *
   * @param left ids of the containers that an earlier NodeManager left, by cgroup id
   */
  EarlierKills(Map<Long, String> left) {
    this.left = new HashMap<>(left);
  }

  /** Returns the ids of the containers left by an earlier NodeManager, by cgroup id. */
  Map<Long, String> names() {
    return left;
  }

  /** Returns the ids of the cgroups in which an earlier NodeManager left this container. */
  Set<Long> cgroups(String containerId) {
    return left.entrySet().stream()
        .filter(cgroup -> cgroup.getValue().equals(containerId))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Records that YARN has reacquired a container.
   *
   * @return how the container was killed; empty if it was not, or if its kill has not been read yet
   */
  Optional<KernelKill> reacquired(String containerId) {
    reacquired.add(containerId);
    return Optional.ofNullable(untold.remove(containerId));
  }

  /**
   * Records a kill if YARN has not reacquired its container yet.
   *
   * @param containerId a container of {@link #names}
   * @return whether YARN has reacquired the container; if not, the kill is kept until it does
   */
  boolean isReacquired(String containerId, KernelKill kill) {
    if (reacquired.contains(containerId)) {
      return true;
    }
    untold.put(containerId, kill);
    return false;
  }

  /** Forgets a container that has ended for YARN, too. */
  void stopped(String containerId) {
    left.values().remove(containerId);
    reacquired.remove(containerId);
    untold.remove(containerId);
  }
}
