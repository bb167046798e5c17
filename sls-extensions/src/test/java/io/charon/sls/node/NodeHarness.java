/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchPolicy;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.Owner;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.SnapshotLaunchPolicy;
import io.charon.sls.workload.MemoryCurve;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Runs one node without a cluster and records its events: seconds, event, container. */
public final class NodeHarness implements NodeListener {
  /** One gigabyte. */
  public static final long GB = 1L << 30;

  private static final long SECOND = 1_000_000_000;

  /** At ratio 1.5, anonymous pages take 3 times as long and file pages 5 times. */
  public static final ThrashModel THRASH =
      new ThrashModel(
          new ThrashModel.Curve(
              List.of(
                  new ThrashModel.Point(1, 1, 100_000),
                  new ThrashModel.Point(1.5, 3, 100_000),
                  new ThrashModel.Point(2, 5, 100_000))),
          new ThrashModel.Curve(
              List.of(
                  new ThrashModel.Point(1, 1, 100_000),
                  new ThrashModel.Point(1.5, 5, 100_000),
                  new ThrashModel.Point(2, 9, 100_000))));

  /** Starts what fits into the memory that is free now, and kills nothing. */
  public static class NoKills implements NodePolicy {
    @Override
    public LaunchPolicy launchPolicy(NodeState node, PeakProfile profile) {
      return new SnapshotLaunchPolicy(Duration.ofSeconds(5), Duration.ZERO);
    }

    @Override
    public Killer killer(RandomGenerator random) {
      return Killer.NONE;
    }

    @Override
    public PeakProfile profile() {
      return new PeakProfile(20, 95);
    }

    @Override
    public boolean learnsPeaks() {
      return true;
    }

    @Override
    public boolean knowsPeaks() {
      return false;
    }

    @Override
    public long keptFreeBytes(NodeSize size) {
      return 0;
    }

    @Override
    public long watchedAvailableBytes(NodeSize size) {
      return 0;
    }
  }

  private final List<String> happened = new ArrayList<>();
  private final List<ContainerPlan> killed = new ArrayList<>();
  private final SimulatedNode node;
  private long now;

  /** Creates a node of a size in GB, with the same amount of swap and seed 1. */
  public NodeHarness(long memoryGb, int cores, int queueLimit, NodePolicy policy) {
    node =
        new SimulatedNode(
            new NodeSize(memoryGb * GB, cores, memoryGb * GB),
            new Processors(cores),
            queueLimit,
            THRASH,
            policy,
            new Random(1),
            this);
  }

  /** Returns a task. */
  public static ContainerPlan task(
      String id,
      ExecutionType type,
      double requestGb,
      double cores,
      int seconds,
      MemoryCurve usage) {
    return new ContainerPlan(
        new LaunchRequest(
            id,
            type,
            new JobKey("job"),
            new Owner("alice", "application_1"),
            (long) (requestGb * GB)),
        new ContainerWork(cores, seconds * SECOND, new UsageCurve(usage)));
  }

  /** Returns the same task with a start of its JVM. */
  public static ContainerPlan starting(ContainerPlan plan, int seconds, double cores) {
    ContainerWork work = plan.work();
    return new ContainerPlan(
        plan.request(),
        new ContainerWork(
            work.usedCores(),
            work.nanos(),
            work.usage(),
            work.startsAt(),
            new ContainerStart(Duration.ofSeconds(seconds), cores)));
  }

  /**
   * Returns memory that starts at a hundredth, grows for half of the task, and then is constant.
   */
  public static MemoryCurve growing(double peakGb) {
    long peak = (long) (peakGb * GB);
    return new MemoryCurve(
        List.of(new MemoryCurve.Point(0, peak / 100, 0), new MemoryCurve.Point(0.5, peak, 0)));
  }

  /** Returns constant anonymous and file memory. */
  public static MemoryCurve constant(double anonymousGb, double fileGb) {
    return MemoryCurve.constant((long) (anonymousGb * GB), (long) (fileGb * GB));
  }

  /** Requests a container now. */
  public LaunchDecision.Outcome request(ContainerPlan plan) {
    return node.request(plan, now);
  }

  /** Requests the killed containers again; they continue from their progress. */
  public void goOnWithKilled() {
    List<ContainerPlan> again = List.copyOf(killed);
    killed.clear();
    again.forEach(this::request);
  }

  /** Advances to a time. */
  public void runTo(double seconds) {
    long until = Math.round(seconds * SECOND);
    while (node.nextStepNanos() <= until) {
      now = node.nextStepNanos();
      node.wake(now);
    }
    now = until;
    node.wake(now);
  }

  /** Returns the node. */
  public SimulatedNode node() {
    return node;
  }

  /** Returns the recorded events. */
  public List<String> happened() {
    return happened;
  }

  /** Returns the number of events of a kind. */
  public long count(String kind) {
    return happened.stream().filter(line -> line.contains(" " + kind + " ")).count();
  }

  /** Returns the time of the first such event in seconds; fails if there is none. */
  public double at(String what) {
    return happened.stream()
        .filter(line -> line.endsWith(" " + what))
        .mapToDouble(line -> Double.parseDouble(line.substring(0, line.indexOf(' '))))
        .findFirst()
        .orElseThrow(() -> new AssertionError(what + " is not in " + happened));
  }

  @Override
  public void started(ContainerPlan plan) {
    // The node starts a container during the request, so the harness's own time is right.
    write("started", plan);
  }

  @Override
  public void ended(ContainerPlan plan, End end, String cause, double workDoneNanos) {
    if (end == End.KILLED) {
      ContainerWork work = plan.work();
      killed.add(
          new ContainerPlan(
              plan.request(),
              new ContainerWork(
                  work.usedCores(),
                  work.nanos(),
                  work.usage(),
                  workDoneNanos / work.nanos(),
                  ContainerStart.NONE)));
    }
    write(end == End.KILLED ? "killed-by-" + cause : end.name().toLowerCase(Locale.ROOT), plan);
  }

  @Override
  public void handedBack(ContainerPlan plan) {
    write("handed back", plan);
  }

  @Override
  public void displaced(ContainerPlan plan) {
    write("displaced", plan);
  }

  @Override
  public void withdrawn(ContainerPlan plan) {
    write("withdrawn", plan);
  }

  private void write(String what, ContainerPlan plan) {
    happened.add("%.1f %s %s".formatted((double) now / SECOND, what, plan.id()));
  }
}
