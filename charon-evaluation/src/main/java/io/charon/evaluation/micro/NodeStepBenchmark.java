/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.micro;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.Owner;
import io.charon.sls.node.ContainerPlan;
import io.charon.sls.node.ContainerWork;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.NodeListener;
import io.charon.sls.node.NodeSize;
import io.charon.sls.node.Processors;
import io.charon.sls.node.SimulatedNode;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.node.UsageCurve;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.workload.MemoryCurve;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A step of a node of 128 GB on which 40 containers run and 10 wait. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NodeStepBenchmark {
  private static final long GB = 1L << 30;
  private static final int RUNNING = 40;
  private static final int WAITING = 10;
  private static final long STEP_NANOS = 1_000_000;

  /** Work that a benchmark does not live to complete. */
  private static final long WORK_NANOS = Long.MAX_VALUE / 4;

  /**
   * Memory of each running container, GB: 40 containers of 3 GB fit into a node, 40 of 3.3 GB do
   * not.
   */
  @Param({"3.0", "3.3"})
  public double containerGb;

  private SimulatedNode node;
  private long nowNanos;

  /**
   * Fills the node with production, which is never killed, and its queue with containers that do
   * not fit.
   */
  @Setup
  public void fill() {
    nowNanos = 0;
    node =
        new SimulatedNode(
            new NodeSize(128 * GB, 32, 128 * GB),
            new Processors(32),
            WAITING,
            ThrashModel.measured(),
            Policy.CHARON.onNodes(PolicySettings.defaults(KillDelay.Profile.MEASURED)),
            new Random(1),
            new IgnoringListener());
    for (int i = 0; i < RUNNING; i++) {
      request("running " + i, ExecutionType.GUARANTEED, containerGb);
    }
    for (int i = 0; i < WAITING; i++) {
      request("waiting " + i, ExecutionType.OPPORTUNISTIC, 100);
    }
  }

  /** Measures one step. */
  @Benchmark
  public long step() {
    nowNanos += STEP_NANOS;
    node.wake(nowNanos);
    return node.nextStepNanos();
  }

  private void request(String id, ExecutionType type, double gigabytes) {
    long bytes = (long) (gigabytes * GB);
    MemoryCurve memory =
        new MemoryCurve(
            List.of(
                new MemoryCurve.Point(0, bytes * 9 / 10, bytes / 10),
                new MemoryCurve.Point(0.5, bytes * 9 / 10, bytes / 10),
                new MemoryCurve.Point(1, bytes / 2, bytes / 10)));
    node.request(
        new ContainerPlan(
            new LaunchRequest(
                id, type, new JobKey("job"), new Owner("alice", "application_1"), bytes),
            new ContainerWork(1, WORK_NANOS, new UsageCurve(memory))),
        nowNanos);
  }

  /** Ignores all events, because only the time is measured. */
  private static final class IgnoringListener implements NodeListener {
    @Override
    public void started(ContainerPlan plan) {}

    @Override
    public void handedBack(ContainerPlan plan) {}

    @Override
    public void displaced(ContainerPlan plan) {}

    @Override
    public void ended(ContainerPlan plan, End end, String cause, double workDoneNanos) {}

    @Override
    public void withdrawn(ContainerPlan plan) {}
  }
}
