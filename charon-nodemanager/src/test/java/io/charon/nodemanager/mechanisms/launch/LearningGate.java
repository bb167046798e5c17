/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.ExpectedGrowthPolicy;
import io.charon.core.scheduler.LaunchPolicy;
import io.charon.core.scheduler.LaunchQueue;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.SafetyMargin;
import io.charon.core.scheduler.SnapshotLaunchPolicy;
import io.charon.nodemanager.container.ContainerInfos;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/** A gate that learns the peaks of containers which run and end. */
final class LearningGate {
  private LearningGate() {}

  /**
   * Creates a gate with unlimited memory.
   *
   * @param clock dates the learned peaks
   */
  static LaunchGate create(Clock clock) {
    return create(
        new PeakProfile(20, 95),
        new SnapshotLaunchPolicy(Duration.ofNanos(1), Duration.ZERO),
        clock);
  }

  /** Creates a gate that also learns a safety margin. */
  static LaunchGate withMargin(Clock clock) {
    PeakProfile profile = new PeakProfile(20, 95);
    return create(
        profile,
        new ExpectedGrowthPolicy(profile, new SafetyMargin(1), Duration.ofNanos(1), Duration.ZERO),
        clock);
  }

  private static LaunchGate create(PeakProfile profile, LaunchPolicy policy, Clock clock) {
    LaunchGate gate =
        new LaunchGate(
            new LocalScheduler(new LaunchQueue(2), profile, policy),
            Duration.ofDays(1),
            System::nanoTime,
            clock,
            nanos -> {},
            "");
    observe(gate);
    return gate;
  }

  /** Gives the gate a reading of the node's memory. */
  static void observe(LaunchGate gate) {
    gate.observed(new NodeMemory(1000, 1000), Map.of());
  }

  /** Runs containers of one job one after the other with these peaks. */
  static void learn(LaunchGate gate, long... peaks) {
    for (long peak : peaks) {
      gate.request(ContainerInfos.bestEffort("container_1", 1).launchRequest());
      gate.ended("container_1", peak, ContainerEnd.COMPLETED);
    }
  }
}
