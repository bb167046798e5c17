/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.scheduler.FirstComeFirstServed;
import io.charon.core.scheduler.LaunchPolicy;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.QueueOrder;
import io.charon.core.scheduler.StartLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The parts of a policy that live on each node. */
public interface NodePolicy {
  /**
   * When best-effort containers of a node start.
   *
   * @param profile of {@link #profile()}, of this node
   */
  LaunchPolicy launchPolicy(NodeState node, PeakProfile profile);

  /** Who dies on a node. */
  Killer killer(RandomGenerator random);

  /** What jobs needed before, for one node. */
  PeakProfile profile();

  /** Whether measured peaks are told to the profile; if not, requests stay all that is known. */
  boolean learnsPeaks();

  /**
   * Whether the peak of every container is known before it starts, as if its job had often run
   * before; if so, it stands in for what the container asks for.
   */
  boolean knowsPeaks();

  /** Whether the names of jobs are known, so that each has peaks of its own. */
  default boolean knowsNames() {
    return false;
  }

  /** Who of those that wait starts first, and who leaves a full queue. */
  default QueueOrder queueOrder() {
    return new FirstComeFirstServed();
  }

  /** How long a best-effort container waits on a node before it may ask elsewhere; positive. */
  default Optional<Duration> longestWait() {
    return Optional.empty();
  }

  /** How many best-effort containers may start at a time. */
  default StartLimit starts() {
    return StartLimit.NONE;
  }

  /** Memory that launches may not count on because a killer keeps it free, bytes. */
  long keptFreeBytes(NodeSize size);

  /**
   * Whether this is a bound rather than a policy that a cluster could have: a killed task goes on
   * elsewhere from where it was, those that wait may start in any order, and any number may wait.
   */
  default boolean isOracle() {
    return false;
  }

  /** Below how much available memory a killer has to look, bytes; 0 if it does not go by that. */
  long watchedAvailableBytes(NodeSize size);
}
