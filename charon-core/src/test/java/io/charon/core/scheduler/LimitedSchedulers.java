/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;
import java.util.Map;

/** Schedulers with memory for everything, whose launches only the processors limit. */
final class LimitedSchedulers {
  private static final long GB = 1L << 30;

  private LimitedSchedulers() {}

  static LocalScheduler scheduler(ProcessorLimits limits, long nowNanos) {
    LocalScheduler scheduler =
        new LocalScheduler(
            new LaunchQueue(10),
            new PeakProfile(20, 95),
            new SnapshotLaunchPolicy(Duration.ofSeconds(5), Duration.ofSeconds(5)),
            limits);
    scheduler.observed(new NodeMemory(200 * GB, 100 * GB), Map.of(), nowNanos);
    return scheduler;
  }

  /** Returns a container that requests 1 GB. */
  static LaunchRequest request(String containerId, ExecutionType type) {
    return new LaunchRequest(
        containerId, type, new JobKey("job"), new Owner("alice", "application_1"), GB);
  }
}
