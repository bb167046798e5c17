/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Everything measured in one run of one mode.
 *
 * @param mode the mode
 * @param jobs outcomes of the best-effort jobs
 * @param production speed of production
 * @param problems errors in the results
 * @param memory use of the nodes' memory
 * @param nodes what the nodes reported last
 * @param outgrowing outcome of the job that outgrows its estimate; empty if there was none
 * @param observations jobs and containers one by one
 */
record DemoRunResult(
    DemoMode mode,
    List<JobOutcome> jobs,
    ProductionTimes production,
    Problems problems,
    Memory memory,
    NodeReport nodes,
    Optional<OutgrowingJob.Outcome> outgrowing,
    Observations observations) {
  /**
   * Memory of all nodes at one instant.
   *
   * @param seconds time since the start of the window
   * @param usedBytes working set of the nodes
   * @param reservedBytes memory that the ResourceManager has allocated
   * @param limitBytes memory of the nodes
   */
  public record MemorySample(double seconds, long usedBytes, long reservedBytes, long limitBytes) {}

  /**
   * Errors in the results; each list is empty if there were none.
   *
   * @param production errors in production's results
   * @param outputs errors in the outputs of best-effort
   * @param submissions best-effort jobs that could not be submitted
   */
  record Problems(List<String> production, List<String> outputs, List<String> submissions) {}

  /**
   * Use of the nodes' memory.
   *
   * @param utilization mean of used memory relative to its limit, 0 to 1; empty if it was not
   *     sampled
   * @param slots number of tasks that fit beside the reservations
   * @param samples memory over time
   */
  record Memory(OptionalDouble utilization, ReservableSlots slots, List<MemorySample> samples) {
    Memory {
      samples = List.copyOf(samples);
    }
  }

  /**
   * What the nodes reported last.
   *
   * @param containers counts of container events; empty if the nodes did not answer
   * @param killer component that reclaims memory
   * @param kills containers killed for memory
   */
  record NodeReport(Optional<ContainerCounts> containers, String killer, List<Kill> kills) {
    NodeReport {
      kills = List.copyOf(kills);
    }

    static NodeReport of(Optional<NodeStatuses> statuses) {
      return new NodeReport(
          statuses.map(NodeStatuses::counts),
          statuses.map(NodeStatuses::killer).orElse("-"),
          statuses.map(NodeStatuses::kills).orElse(List.of()));
    }
  }

  DemoRunResult {
    jobs = List.copyOf(jobs);
  }

  /**
   * Returns the relative error with which production's speed alone is known, because the machine
   * changed its pace: {@link ProductionTimes#drift}; in a mode without best-effort also what
   * production took within the window relative to its time alone, which must be 1.
   */
  double paceError() {
    return mode.runsBestEffort()
        ? production.drift()
        : Math.max(production.drift(), Math.abs(production.vsOwnBaseline() - 1));
  }

  long count(JobOutcome.State state) {
    return jobs.stream().filter(job -> job.state() == state).count();
  }

  /**
   * Returns the completion times of all submitted jobs; a job that did not complete counts with the
   * whole window.
   */
  List<Double> completionSeconds() {
    return jobs.stream().map(JobOutcome::seconds).toList();
  }

  /** Returns the total work whose result is right. */
  JobOutcome.Work work() {
    return jobs.stream().map(JobOutcome::work).reduce(JobOutcome.Work.NONE, JobOutcome.Work::plus);
  }
}
