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
 * @param productionProblems errors in production's results; empty if they are right
 * @param outputProblems errors in the outputs of best-effort; empty if they are right
 * @param submissionProblems best-effort jobs that could not be submitted
 * @param memoryUtilization mean of used memory relative to its limit, 0 to 1; empty if it was not
 *     sampled
 * @param slots number of tasks that fit beside the reservations
 * @param containers counts of container events; empty if the nodes did not answer
 * @param killer component that reclaims memory
 * @param kills containers killed for memory
 * @param outgrowing outcome of the job that outgrows its estimate; empty if there was none
 * @param samples memory over time
 * @param observations jobs and containers one by one
 */
record RunResult(
    DemoMode mode,
    List<JobOutcome> jobs,
    ProductionTimes production,
    List<String> productionProblems,
    List<String> outputProblems,
    List<String> submissionProblems,
    OptionalDouble memoryUtilization,
    ReservableSlots slots,
    Optional<ContainerCounts> containers,
    String killer,
    List<Kill> kills,
    Optional<OutgrowingJob.Outcome> outgrowing,
    List<MemorySample> samples,
    Observations observations) {

  RunResult {
    jobs = List.copyOf(jobs);
    kills = List.copyOf(kills);
    samples = List.copyOf(samples);
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
