/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.scheduler.FirstComeFirstServed;
import io.charon.core.scheduler.LaunchPolicy;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.ProcessorLimits;
import io.charon.core.scheduler.QueueOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The parts of a policy that run on each node. */
public interface NodePolicy {
  /**
   * Returns the policy that decides when best-effort containers of a node start.
   *
   * @param profile the profile of this node, created by {@link #profile()}
   */
  LaunchPolicy launchPolicy(NodeState node, PeakProfile profile);

  /**
   * Returns how often the launch policy has to see the running best-effort containers, also while
   * none waits; empty if what they use at a launch is enough.
   */
  default Optional<Duration> observesEvery() {
    return Optional.empty();
  }

  /** Returns the killer of a node. */
  Killer killer(RandomGenerator random);

  /** Returns a mechanism of a NodeManager that acts on a node as well; empty if none does. */
  default Optional<NodeMechanism> mechanism(RandomGenerator random) {
    return Optional.empty();
  }

  /** Returns the memory limit around the best-effort containers of a node; empty if none is set. */
  default Optional<BestEffortLimit> limit(NodeSize size, RandomGenerator random) {
    return Optional.empty();
  }

  /** Returns a new profile of the peaks of earlier containers, for one node. */
  PeakProfile profile();

  /** Returns whether measured peaks are added to the profile; if not, only requests are known. */
  boolean learnsPeaks();

  /**
   * Returns whether the peak of every container is known before it starts, as if its job had often
   * run before. If so, the known peak replaces the request.
   */
  boolean knowsPeaks();

  /** Returns whether the names of jobs are known, so that peaks are kept for each job. */
  default boolean knowsNames() {
    return false;
  }

  /** Returns the order in which waiting containers start, and in which they leave a full queue. */
  default QueueOrder queueOrder() {
    return new FirstComeFirstServed();
  }

  /**
   * Returns whether a full queue displaces waiting containers where its order has some for that.
   */
  default boolean displaces() {
    return true;
  }

  /**
   * Returns the time for which a best-effort container waits on a node before it may be requested
   * elsewhere; positive.
   */
  default Optional<Duration> longestWait() {
    return Optional.empty();
  }

  /** Returns the limits of launches that depend on the node's processors. */
  default ProcessorLimits processorLimits() {
    return ProcessorLimits.NONE;
  }

  /** Returns the memory that a killer keeps free and that launches may not use, in bytes. */
  long keptFreeBytes(NodeSize size);

  /**
   * Returns whether this is an upper bound instead of a policy that a cluster could have. With it,
   * a killed task continues elsewhere without losing work, waiting containers may start in any
   * order, and the node rejects none for a full queue. YARN's allocator knows of the queue limit,
   * though, and by default sends no more containers than that to wait.
   */
  default boolean isOracle() {
    return false;
  }

  /**
   * Returns the available memory below which the killer has to be asked, in bytes; 0 if it does not
   * depend on available memory.
   */
  long watchedAvailableBytes(NodeSize size);
}
