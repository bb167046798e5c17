/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Decides whether the first container of the queue may start. Nodes and the simulator use the same
 * implementations; times are nanoseconds of any monotonic clock.
 */
public interface LaunchPolicy {
  /**
   * Returns whether a container may start now, without launching it.
   *
   * @param request the first container of the queue
   * @param expectedPeakBytes its expected peak
   * @param nowNanos the current time
   */
  LaunchVerdict judge(LaunchRequest request, long expectedPeakBytes, long nowNanos);

  /**
   * Returns whether a container could start if no best-effort container ran. One that could not
   * keeps its place in the queue without holding up the others: production would have to release
   * memory first.
   *
   * @param request a waiting container
   * @param expectedPeakBytes its expected peak
   */
  default boolean couldEverFit(LaunchRequest request, long expectedPeakBytes) {
    return true;
  }

  /**
   * Returns the memory that a container would need if no best-effort container ran, in bytes.
   *
   * @param request a waiting container
   * @param expectedPeakBytes its expected peak
   */
  default long neededAlone(LaunchRequest request, long expectedPeakBytes) {
    return expectedPeakBytes;
  }

  /**
   * Returns the memory that a container of this job is expected to need in the mean, in bytes.
   *
   * @param request a container
   * @param expectedPeakBytes its expected peak
   */
  default long expectedNeedBytes(LaunchRequest request, long expectedPeakBytes) {
    return expectedPeakBytes;
  }

  /**
   * Returns the memory that all running best-effort containers together are expected to hold at
   * most, in bytes; empty if each is expected to reach its own peak.
   */
  default OptionalLong expectedHeldBytes() {
    return OptionalLong.empty();
  }

  /**
   * Records that running containers may stand still, because an operator stopped best-effort or
   * memory is so short that containers are frozen.
   */
  default void standStill(long nowNanos) {}

  /** Returns whether a running container has stopped growing; false if the policy cannot tell. */
  default boolean hasSettled(String containerId) {
    return false;
  }

  /** Records that a best-effort container starts, or was found running after a restart. */
  void launched(String containerId, long expectedPeakBytes);

  /**
   * Records the same, for policies that need more information.
   *
   * @param request the container
   * @param expectedPeakBytes its expected peak
   * @param nowNanos when it was launched or found
   */
  default void launched(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    launched(request.containerId(), expectedPeakBytes);
  }

  /**
   * Records more information about the job of a running container; unknown containers are ignored.
   *
   * @param request the same container with its job
   */
  default void jobKnown(LaunchRequest request) {}

  /** Records that a best-effort container finished, was killed, was lost, or became production. */
  void ended(String containerId);

  /** Records that a best-effort container was killed for memory; {@link #ended} follows. */
  void killed(long nowNanos);

  /**
   * Records a reading of the node's memory.
   *
   * @param node the reading
   * @param usedBytes working set of each container; one that is missing was not measured, and keeps
   *     its last
   * @param nowNanos the current time
   */
  void observed(NodeMemory node, Map<String, Long> usedBytes, long nowNanos);

  /** Records that the node's memory could not be read. */
  void unobserved();

  /** Returns the learned {@link SafetyMargin} as a share of the node; empty if there is none. */
  default OptionalDouble marginShare() {
    return OptionalDouble.empty();
  }

  /**
   * Continues with the margin of an earlier policy of this node.
   *
   * @param share of {@link #marginShare()}; a policy without a learned margin ignores it
   */
  default void restoreMargin(double share) {}

  /** Returns the memory that a launch may need now, in bytes, as the policy sees it. */
  long launchableBytes();

  /**
   * Returns until when launches are delayed after a kill; not after {@code nowNanos} if not at all.
   */
  long delayedUntilNanos(long nowNanos);
}
