/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import io.charon.sls.cluster.Cluster;
import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.cluster.RetryRules;
import io.charon.sls.engine.EventChecksum;
import io.charon.sls.engine.EventPhase;
import io.charon.sls.engine.EventQueue;
import io.charon.sls.engine.RandomStreams;
import io.charon.sls.node.NodeUsage;
import io.charon.sls.run.RunResult.Execution;
import io.charon.sls.run.RunResult.MemoryResult;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.WorkloadSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** One run from the first submission to the end, on the calling thread. */
public final class SimulationRun {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Number of events between two updates of the progress. */
  private static final int PROGRESS_EVENTS = 4096;

  /** Number of events between two checks of the cluster's invariants, which visit every node. */
  private static final int CHECK_EVENTS = 1 << 16;

  private final RunSettings settings;
  private final WorkloadSource workload;
  private final RunProgress progress;
  private final EventQueue events = new EventQueue();
  private final EventChecksum checksum = new EventChecksum();
  private final RunStatistics statistics = new RunStatistics();
  private final MemoryHistory history = new MemoryHistory();
  private final Cluster cluster;
  private double residentUntilLastSubmission;
  private long lastSubmissionNanos;
  private long horizonNanos = Long.MAX_VALUE;

  private SimulationRun(RunSettings settings, WorkloadSource workload, RunProgress progress) {
    this.settings = settings;
    this.workload = workload;
    this.progress = progress;
    RetryRules retries = settings.cluster().retries();
    ClusterSettings built =
        settings
            .cluster()
            .with(
                new RetryRules(
                    retries.bestEffortType(),
                    retries.killsAreFailures() && settings.policy().killsMayBeFailures()));
    this.cluster =
        new Cluster(
            built,
            settings.policy().onNodes(settings.policies()),
            settings.thrash(),
            events,
            new RandomStreams(settings.seed()),
            checksum,
            statistics);
  }

  /**
   * Runs a simulation to its end.
   *
   * @param settings settings of the run
   * @param opener opens the workload
   * @param progress receives the progress and can interrupt the run
   * @throws IOException if the workload cannot be read
   */
  public static RunResult run(RunSettings settings, WorkloadOpener opener, RunProgress progress)
      throws IOException {
    try (WorkloadSource workload = opener.open(settings.seed())) {
      SimulationRun run = new SimulationRun(settings, workload, progress);
      try (Cluster cluster = run.cluster) {
        return run.toTheEnd(cluster);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
  }

  private RunResult toTheEnd(Cluster built) {
    planNextSubmission();
    boolean going = true;
    while (going && !progress.isInterrupted()) {
      going = events.runNext(horizonNanos) && !isIdle(built);
      if (history.isDue(events.nowNanos())) {
        history.add(events.nowNanos(), built.usage());
      }
      if (events.executed() % PROGRESS_EVENTS == 0) {
        progress.at(events.nowNanos());
      }
      if (events.executed() % CHECK_EVENTS == 0) {
        built.checkInvariants();
      }
    }
    built.checkInvariants();
    progress.at(events.nowNanos());
    return result();
  }

  /** Returns whether all jobs have been submitted and none is unfinished. */
  private boolean isIdle(Cluster built) {
    return knowsHorizon() && built.unfinishedJobs() == 0;
  }

  private void planNextSubmission() {
    Optional<SimulatedJob> next;
    try {
      next = workload.next();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (next.isEmpty()) {
      horizonNanos = events.nowNanos() + settings.afterLastSubmission().toNanos();
      progress.lastSubmission(events.nowNanos());
      residentUntilLastSubmission = cluster.usage().resident();
      lastSubmissionNanos = events.nowNanos();
      return;
    }
    SimulatedJob job = next.get();
    long at = job.submitMillis() * NANOS_PER_MILLI;
    if (at < events.nowNanos()) {
      throw new UncheckedIOException(
          new IOException(
              "job %s is submitted at %d ms, before the previous job"
                  .formatted(job.id(), job.submitMillis())));
    }
    events.schedule(
        at,
        EventPhase.DECIDE,
        () -> {
          submit(job);
          planNextSubmission();
        });
  }

  private void submit(SimulatedJob job) {
    if (!settings.policy().runs(job.side())) {
      return;
    }
    int copies = job.side() == Side.BEST_EFFORT ? settings.load() : 1;
    for (int copy = 1; copy <= copies; copy++) {
      SimulatedJob submitted = copy == 1 ? job : job.withId(job.id() + "#" + copy);
      statistics.submitted(submitted);
      cluster.submit(submitted);
    }
  }

  /** Returns whether the horizon is known, which is the case once all jobs have been submitted. */
  private boolean knowsHorizon() {
    return horizonNanos != Long.MAX_VALUE;
  }

  private RunResult result() {
    return new RunResult(
        settings,
        statistics.bestEffort(),
        statistics.production(),
        statistics.disruptions(),
        memory(),
        new Execution(
            (knowsHorizon() ? horizonNanos : events.nowNanos()) / NANOS_PER_SECOND,
            events.nowNanos() / NANOS_PER_SECOND,
            events.executed(),
            checksum.value(),
            progress.isInterrupted()));
  }

  private MemoryResult memory() {
    NodeUsage usage = cluster.usage();
    // The time after the last submission, when the cluster empties, does not count for the
    // utilization. If all jobs are submitted at time 0, the whole run counts.
    boolean sudden = lastSubmissionNanos == 0;
    double resident = sudden ? usage.resident() : residentUntilLastSubmission;
    double nanos = sudden ? events.nowNanos() : lastSubmissionNanos;
    return new MemoryResult(
        resident / (settings.cluster().nodes().memoryBytes() * nanos),
        usage.used() / usage.requested(),
        usage.productionUsed() / usage.productionRequested(),
        history.samples());
  }
}
