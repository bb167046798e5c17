/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.micro;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchQueue;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.Owner;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.SnapshotLaunchPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The decision of a node whether a container may start, made by the code that NodeManagers run. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AdmissionBenchmark {
  private static final long GB = 1L << 30;
  private static final int RUNNING = 30;
  private static final int QUEUE_LIMIT = 10;
  private static final int PEAKS = 20;
  private static final int PERCENTILE = 95;

  private final NodeMemory full = new NodeMemory(128 * GB, 8 * GB);
  private final JobKey job = new JobKey("job");
  private final Owner owner = new Owner("alice", "application_1");
  private final LaunchRequest first = request("first");
  private LocalScheduler scheduler;
  private long nowNanos;

  /** Creates a scheduler with 30 running and 10 waiting containers, and a history of the job. */
  @Setup
  public void fill() {
    PeakProfile profile = new PeakProfile(PEAKS, PERCENTILE);
    for (int i = 0; i < PEAKS; i++) {
      profile.record(job, 16 * GB, (8 + i) * GB, i);
    }
    scheduler =
        new LocalScheduler(
            new LaunchQueue(QUEUE_LIMIT),
            profile,
            new SnapshotLaunchPolicy(Duration.ofSeconds(5), Duration.ofSeconds(5)));
    nowNanos = 0;
    scheduler.observed(full, Map.of(), nowNanos);
    for (int i = 0; i < RUNNING; i++) {
      scheduler.adopt(request("running " + i), nowNanos);
    }
    scheduler.request(first, nowNanos);
    for (int i = 1; i < QUEUE_LIMIT; i++) {
      scheduler.request(request("waiting " + i), nowNanos);
    }
  }

  /**
   * Measures one memory reading and one repeated request by the first container of the queue, which
   * does not fit.
   */
  @Benchmark
  public LaunchDecision decision() {
    nowNanos += 1_000_000;
    scheduler.observed(full, Map.of(), nowNanos);
    return scheduler.request(first, nowNanos);
  }

  private LaunchRequest request(String id) {
    return new LaunchRequest(id, ExecutionType.OPPORTUNISTIC, job, owner, 16 * GB);
  }
}
