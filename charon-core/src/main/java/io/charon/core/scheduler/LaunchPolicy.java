/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Map;

/**
 * Decides whether the first container of the queue may start. The policies of a node and of the
 * simulator are implementations of this; time comes from any monotonic clock, in nanoseconds.
 */
public interface LaunchPolicy {
  /**
   * Whether a container may start now. Changes nothing.
   *
   * @param request the first of the queue
   * @param expectedPeakBytes what it is expected to need at most
   * @param nowNanos now
   */
  LaunchVerdict judge(LaunchRequest request, long expectedPeakBytes, long nowNanos);

  /** A best-effort container starts, or was found running after a restart. */
  void launched(String containerId, long expectedPeakBytes);

  /**
   * The same, for policies that want to know more.
   *
   * @param request the container
   * @param expectedPeakBytes what it is expected to need at most
   * @param nowNanos when it was launched, or found
   */
  default void launched(LaunchRequest request, long expectedPeakBytes, long nowNanos) {
    launched(request.containerId(), expectedPeakBytes);
  }

  /**
   * More is known of the job of a container that runs; unknown ones are ignored.
   *
   * @param request the same container with its job
   */
  default void named(LaunchRequest request) {}

  /** A best-effort container finished, was killed, was lost, or is best-effort no longer. */
  void ended(String containerId);

  /** A best-effort container was killed for memory; {@link #ended} follows when it is gone. */
  void killed(long nowNanos);

  /**
   * The node's memory was read.
   *
   * @param node the reading
   * @param usedBytes working set of each container
   * @param nowNanos now
   */
  void observed(NodeMemory node, Map<String, Long> usedBytes, long nowNanos);

  /** The node's memory could not be read. */
  void unobserved();

  /** What a launch may need now, bytes, as far as this policy counts; for people to read. */
  long launchableBytes();

  /** Until when launches are delayed after a kill; not after {@code nowNanos} if they are not. */
  long delayedUntilNanos(long nowNanos);
}
