/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.RunningContainer;
import java.time.Instant;
import java.util.List;

/**
 * The state of a launch gate at one instant.
 *
 * @param running running containers, in launch order
 * @param waiting waiting containers, in the order in which they are to start
 * @param launchableBytes memory that a launch may use now
 * @param runnablePerCore mean number of threads that run or wait for a core, for each core; 0 if
 *     unknown
 * @param delayedNanos how long launches are still delayed after a kill
 * @param recent recent decisions, newest last
 */
public record LaunchView(
    List<Running> running,
    List<Waiting> waiting,
    long launchableBytes,
    double runnablePerCore,
    long delayedNanos,
    List<Dated> recent) {
  /**
   * A decision and its time.
   *
   * @param time wall clock
   * @param decision the decision
   */
  public record Dated(Instant time, LaunchDecision decision) {}

  /**
   * A waiting container.
   *
   * @param request the container
   * @param waitingNanos how long it has waited
   * @param reason why it has not started
   */
  public record Waiting(LaunchRequest request, long waitingNanos, LaunchVerdict.Reason reason) {}

  /**
   * A running container.
   *
   * @param container the container
   * @param runningNanos how long it has run
   */
  public record Running(RunningContainer container, long runningNanos) {}
}
