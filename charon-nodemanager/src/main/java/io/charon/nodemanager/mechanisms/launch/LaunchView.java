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
 * Everything that a launch gate knows at one instant.
 *
 * @param running in launch order
 * @param waiting first to start first
 * @param launchableBytes what a launch may need now
 * @param delayedNanos how long launches are still delayed after a kill
 * @param recent decisions, newest last
 */
public record LaunchView(
    List<Running> running,
    List<Waiting> waiting,
    long launchableBytes,
    long delayedNanos,
    List<Dated> recent) {
  /**
   * A decision and when it was made.
   *
   * @param time wall clock
   * @param decision what was decided
   */
  public record Dated(Instant time, LaunchDecision decision) {}

  /**
   * A container that waits.
   *
   * @param request the container
   * @param waitingNanos for how long
   * @param reason why it has not started
   */
  public record Waiting(LaunchRequest request, long waitingNanos, LaunchVerdict.Reason reason) {}

  /**
   * A container that runs.
   *
   * @param container the container
   * @param runningNanos for how long
   */
  public record Running(RunningContainer container, long runningNanos) {}
}
