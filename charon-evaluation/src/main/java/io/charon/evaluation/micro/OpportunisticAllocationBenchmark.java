/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.micro;

import io.charon.sls.cluster.Cluster;
import io.charon.sls.cluster.ClusterObserver;
import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.engine.EventChecksum;
import io.charon.sls.engine.EventQueue;
import io.charon.sls.engine.RandomStreams;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.workload.JobType;
import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.TaskGroup;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The life of an opportunistic container, from the request of its ApplicationMaster to the report
 * of its end, on 100 idle nodes: Hadoop's allocator and scheduler, and the nodes' reports.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class OpportunisticAllocationBenchmark {
  private static final int TASKS = 1000;

  private EventQueue events;
  private Cluster cluster;
  private long jobs;

  /** Creates an empty cluster. */
  @Setup
  public void build() {
    events = new EventQueue();
    cluster =
        new Cluster(
            ClusterSettings.paper(100),
            Policy.CHARON.onNodes(PolicySettings.defaults(KillDelay.Profile.MEASURED)),
            ThrashModel.measured(),
            events,
            new RandomStreams(1),
            new EventChecksum(),
            new IgnoringObserver());
  }

  /** Stops the scheduler. */
  @TearDown
  public void close() {
    cluster.close();
  }

  /** Measures a job of 1,000 short tasks from its submission to its end, per task. */
  @Benchmark
  @OperationsPerInvocation(TASKS)
  public long container() {
    MemoryCurve memory = MemoryCurve.constant(1L << 30, 0);
    cluster.submit(
        new SimulatedJob(
            "job " + ++jobs,
            "job",
            "user",
            Side.BEST_EFFORT,
            JobType.MAPREDUCE,
            0,
            List.of(new TaskGroup(TASKS, 1L << 30, 1, 0.5, 5_000, memory))));
    while (cluster.unfinishedJobs() > 0) {
      events.runNext(Long.MAX_VALUE);
    }
    return events.executed();
  }

  /** Ignores all events, because only the time is measured. */
  private static final class IgnoringObserver implements ClusterObserver {
    @Override
    public void jobCompleted(SimulatedJob job, long submittedNanos, long nowNanos) {}

    @Override
    public void jobFailed(SimulatedJob job, long nowNanos) {}

    @Override
    public void killed(String cause) {}

    @Override
    public void handedBack() {}

    @Override
    public void rejected() {}

    @Override
    public void workLost(double nanos) {}
  }
}
