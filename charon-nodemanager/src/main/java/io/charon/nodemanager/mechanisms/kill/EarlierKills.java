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

/**
 * Kills by the kernel while no NodeManager ran. Their containers have no processes left and lose
 * their cgroups when the NodeManager starts, so that only the ids read before that lead from a
 * decision to its container; and YARN asks how a container ended at any time after. Not
 * thread-safe.
 */
final class EarlierKills {
  private final Map<Long, String> left;
  private final Set<String> reacquired = new HashSet<>();
  private final Map<String, KernelKill> untold = new HashMap<>();

  /**
   * No kill is known yet.
   *
   * @param left ids of the containers that an earlier NodeManager left, by cgroup id
   */
  EarlierKills(Map<Long, String> left) {
    this.left = new HashMap<>(left);
  }

  /** The ids of the containers, by cgroup id. */
  Map<Long, String> names() {
    return left;
  }

  /**
   * YARN takes a container over.
   *
   * @return how it was killed, if it was and that was read already
   */
  Optional<KernelKill> reacquired(String containerId) {
    reacquired.add(containerId);
    return Optional.ofNullable(untold.remove(containerId));
  }

  /**
   * A kill was read.
   *
   * @param containerId one of {@link #names}
   * @return whether YARN has taken the container over; if not, the kill is kept until it does
   */
  boolean isReacquired(String containerId, KernelKill kill) {
    if (reacquired.contains(containerId)) {
      return true;
    }
    untold.put(containerId, kill);
    return false;
  }

  /** A container has ended for YARN, too. */
  void stopped(String containerId) {
    left.values().remove(containerId);
    reacquired.remove(containerId);
    untold.remove(containerId);
  }
}
