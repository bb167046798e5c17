/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.scheduler.ExpectedGrowthPolicy;
import io.charon.core.scheduler.FairShare;
import io.charon.core.scheduler.FirstComeFirstServed;
import io.charon.core.scheduler.LaunchPolicy;
import io.charon.core.scheduler.LaunchQueue;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.Owner;
import io.charon.core.scheduler.PeakDecay;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.ProcessorLimits;
import io.charon.core.scheduler.QueueOrder;
import io.charon.core.scheduler.SafetyMargin;
import io.charon.core.scheduler.SnapshotLaunchPolicy;
import io.charon.core.scheduler.ThresholdLaunchPolicy;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.SchedulerSettings;

/**
 * Creates local schedulers according to an operator's settings, for a live node and for a replay.
 */
public final class LocalSchedulers {
  /**
   * No limit here: YARN rejects containers beyond its queue limit before the scheduler sees them.
   */
  private static final int YARN_LIMITS_THE_QUEUE = Integer.MAX_VALUE;

  private LocalSchedulers() {}

  /**
   * Returns a scheduler that launches by memory snapshot, with the estimate that the operator
   * chose.
   */
  public static LocalScheduler bySnapshot(CharonSettings node) {
    SchedulerSettings settings = node.scheduler();
    PeakProfile profile = profile(settings.profile());
    SchedulerSettings.Launch launch = settings.launch();
    LaunchPolicy policy =
        switch (launch.estimate()) {
          case PEAK -> new SnapshotLaunchPolicy(launch.resync(), launch.backoff());
          case GROWTH ->
              new ExpectedGrowthPolicy(
                  profile,
                  new SafetyMargin(launch.killsPerHour(), node.sensors().tick()),
                  launch.resync(),
                  launch.backoff());
        };
    return of(settings.queue(), profile, policy, launch.processors());
  }

  /**
   * Returns the paper's baseline. It has no start limit, because it starts at most one container
   * for each reading of the memory, and it disregards how busy the processors are.
   */
  public static LocalScheduler byThreshold(SchedulerSettings settings, int thresholdPercent) {
    return of(
        settings.queue(),
        profile(settings.profile()),
        new ThresholdLaunchPolicy(thresholdPercent),
        ProcessorLimits.NONE);
  }

  private static LocalScheduler of(
      SchedulerSettings.Queue queue,
      PeakProfile profile,
      LaunchPolicy policy,
      ProcessorLimits processors) {
    return new LocalScheduler(
        new LaunchQueue(YARN_LIMITS_THE_QUEUE, order(queue)), profile, policy, processors);
  }

  private static PeakProfile profile(SchedulerSettings.Profile settings) {
    return new PeakProfile(
        settings.windowSamples(),
        settings.percentile(),
        new PeakDecay(settings.halfLife().toMillis()));
  }

  private static QueueOrder order(SchedulerSettings.Queue queue) {
    return switch (queue.order()) {
      case FIFO -> new FirstComeFirstServed();
      case FAIR_APPLICATION -> new FairShare(Owner::application, queue.aging());
      case FAIR_USER -> new FairShare(Owner::user, queue.aging());
    };
  }
}
