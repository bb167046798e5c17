/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.launch;

import io.charon.nodemanager.config.SchedulerSettings;
import io.charon.scheduler.local.FairShare;
import io.charon.scheduler.local.FirstComeFirstServed;
import io.charon.scheduler.local.LaunchPolicy;
import io.charon.scheduler.local.LaunchQueue;
import io.charon.scheduler.local.LocalScheduler;
import io.charon.scheduler.local.Owner;
import io.charon.scheduler.local.PeakDecay;
import io.charon.scheduler.local.PeakProfile;
import io.charon.scheduler.local.QueueOrder;
import io.charon.scheduler.local.SnapshotLaunchPolicy;

/** Makes local schedulers as an operator wants them, for a live node and for a replay. */
public final class LocalSchedulers {
  /** YARN rejects what goes beyond its queue limit before the local scheduler hears of it. */
  private static final int YARN_LIMITS_THE_QUEUE = Integer.MAX_VALUE;

  private LocalSchedulers() {}

  /** One that launches by memory snapshot. */
  public static LocalScheduler bySnapshot(SchedulerSettings settings) {
    return of(settings, new SnapshotLaunchPolicy(settings.resync(), settings.delay()));
  }

  /** One that launches by a policy. */
  public static LocalScheduler of(SchedulerSettings settings, LaunchPolicy policy) {
    return new LocalScheduler(
        new LaunchQueue(YARN_LIMITS_THE_QUEUE, queueOrder(settings)),
        new PeakProfile(
            settings.profileWindowSamples(),
            settings.profilePercentile(),
            new PeakDecay(settings.profileHalfLife().toMillis())),
        policy);
  }

  private static QueueOrder queueOrder(SchedulerSettings settings) {
    return switch (settings.queueOrder()) {
      case FIFO -> new FirstComeFirstServed();
      case FAIR_APPLICATION -> new FairShare(Owner::application, settings.queueAging());
      case FAIR_USER -> new FairShare(Owner::user, settings.queueAging());
    };
  }
}
