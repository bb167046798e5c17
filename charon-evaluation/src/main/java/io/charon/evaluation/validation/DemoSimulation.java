/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.validation;

import io.charon.core.scheduler.ExecutionType;
import io.charon.evaluation.validation.DemoDocument.Job;
import io.charon.evaluation.validation.DemoDocument.Run;
import io.charon.sls.cluster.Cluster;
import io.charon.sls.cluster.ClusterObserver;
import io.charon.sls.engine.EventChecksum;
import io.charon.sls.engine.EventPhase;
import io.charon.sls.engine.EventQueue;
import io.charon.sls.engine.RandomStreams;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.workload.JobType;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.TaskGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One run of the demo's workload in virtual time, observed as the demo observes its own runs. */
final class DemoSimulation implements ClusterObserver {
  /** Time at which production is submitted, so that nothing happens before time 0. */
  private static final double PRODUCTION_AT_SECONDS = 1;

  /** Number of windows after which production counts as failed, as in the demo. */
  private static final int LONGEST_PRODUCTION_WINDOWS = 3;

  private static final String USER = "user";
  private static final String PRODUCTION = "production";

  /**
   * One name for all kinds, whose maps look the same to a NodeManager: same user, priority and
   * size.
   */
  private static final String BEST_EFFORT = "best-effort";

  private final SimulationInputs calibration;
  private final double windowSeconds;
  private final EventQueue events = new EventQueue();
  private final Map<String, Double> finishedSeconds = new HashMap<>();
  private final Map<String, Integer> kills = new TreeMap<>();
  private int launched;
  private double productionSeconds = Double.NaN;

  private DemoSimulation(SimulationInputs calibration, double windowSeconds) {
    this.calibration = calibration;
    this.windowSeconds = windowSeconds;
  }

  /**
   * Simulates one run.
   *
   * @param run the real run, which gives the times of submission
   * @param policy policy that decides on best-effort containers
   * @param seed seed of all randomness
   * @throws IOException if a job is of a kind that was not calibrated, or production does not end
   */
  static SimulatedRun run(
      DemoDocument demo, SimulationInputs calibration, Run run, Policy policy, long seed)
      throws IOException {
    return new DemoSimulation(calibration, demo.windowSeconds()).run(run, policy, seed);
  }

  private SimulatedRun run(Run run, Policy policy, long seed) throws IOException {
    boolean alone = policy == Policy.PRODUCTION_ALONE;
    try (Cluster cluster =
        new Cluster(
            // Production alone was calibrated as it ran, including the effect of the machine's
            // other load.
            alone ? calibration.cluster() : calibration.during(run),
            // The demo's nodes run YARN's own NodeManager.
            policy.onNodes(
                PolicySettings.defaults(KillDelay.Profile.MEASURED).withoutDisplacement()),
            ThrashModel.measured(),
            events,
            new RandomStreams(seed),
            new EventChecksum(),
            this)) {
      double windowStart = PRODUCTION_AT_SECONDS - run.production().submittedSeconds();
      double windowEnd = windowStart + windowSeconds;
      List<SimulatedJob> jobs = jobs(run, windowStart);
      for (SimulatedJob job : jobs) {
        events.schedule(
            job.submitMillis() * 1_000_000, EventPhase.DECIDE, () -> cluster.submit(job));
      }
      runTo(windowStart);
      double before = cluster.usage().resident();
      runTo(windowEnd);
      double used = cluster.usage().resident() - before;
      int launchedInWindow = launched;
      Map<String, Integer> killsInWindow = Map.copyOf(kills);
      long limit = nanos(windowStart + LONGEST_PRODUCTION_WINDOWS * windowSeconds);
      boolean going = true;
      while (going && Double.isNaN(productionSeconds)) {
        going = events.runNext(limit);
      }
      if (Double.isNaN(productionSeconds)) {
        throw new IOException("production did not end in the simulation of " + policy.key());
      }
      cluster.checkInvariants();
      return new SimulatedRun(
          completionSeconds(jobs, windowEnd),
          productionSeconds,
          launchedInWindow,
          killsInWindow,
          used / (calibration.cluster().nodes().memoryBytes() * nanos(windowSeconds)));
    }
  }

  private List<SimulatedJob> jobs(Run run, double windowStart) throws IOException {
    List<SimulatedJob> jobs = new ArrayList<>();
    jobs.add(
        job(
            PRODUCTION,
            PRODUCTION,
            Side.PRODUCTION,
            PRODUCTION_AT_SECONDS,
            calibration.production()));
    for (Job real : run.jobs()) {
      List<TaskGroup> tasks = calibration.bestEffort().get(real.kind());
      if (tasks == null) {
        throw new IOException("no job of kind " + real.kind() + " was calibrated");
      }
      jobs.add(
          job(
              BEST_EFFORT + jobs.size(),
              BEST_EFFORT,
              Side.BEST_EFFORT,
              windowStart + real.submittedSeconds(),
              tasks));
    }
    return jobs;
  }

  private static SimulatedJob job(
      String id, String name, Side side, double atSeconds, List<TaskGroup> tasks) {
    return new SimulatedJob(
        id, name, USER, side, JobType.MAPREDUCE, Math.round(atSeconds * 1000), tasks);
  }

  private List<Double> completionSeconds(List<SimulatedJob> jobs, double windowEnd) {
    return jobs.stream()
        .filter(job -> job.side() == Side.BEST_EFFORT)
        .filter(job -> finishedSeconds.getOrDefault(job.id(), Double.MAX_VALUE) <= windowEnd)
        .map(job -> finishedSeconds.get(job.id()) - job.submitMillis() / 1000.0)
        .toList();
  }

  private void runTo(double seconds) {
    boolean going = true;
    while (going) {
      going = events.runNext(nanos(seconds));
    }
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }

  @Override
  public void started(ExecutionType type) {
    launched += type == ExecutionType.OPPORTUNISTIC ? 1 : 0;
  }

  @Override
  public void jobCompleted(SimulatedJob job, long submittedNanos, long nowNanos) {
    finishedSeconds.put(job.id(), nowNanos / 1e9);
    if (job.side() == Side.PRODUCTION) {
      productionSeconds = (nowNanos - submittedNanos) / 1e9;
    }
  }

  @Override
  public void jobFailed(SimulatedJob job, long nowNanos) {
    // The job never completes, and only completions are counted.
  }

  @Override
  public void killed(String cause) {
    kills.merge(cause, 1, Integer::sum);
  }

  @Override
  public void handedBack() {}

  @Override
  public void rejected() {
    // The demo's stream fills a queue only temporarily; it asks again at the next heartbeat.
  }

  @Override
  public void workLost(double nanos) {
    // Not compared, because the real cluster does not report it.
  }
}
