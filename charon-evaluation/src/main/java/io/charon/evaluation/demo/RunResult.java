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
 * @param jobs best-effort jobs that were submitted within the window
 * @param production how fast production was
 * @param productionProblems what is wrong with its results; empty if they are right
 * @param outputProblems what is wrong with the outputs of best-effort; empty if they are right
 * @param submissionProblems best-effort jobs that could not be submitted
 * @param memoryUtilization mean of used memory over its limit, 0 to 1; empty if it was not sampled
 * @param slots tasks for which there is room beside reservations
 * @param containers what happened to containers; empty if the nodes did not say
 * @param killer who takes memory back
 * @param kills containers killed for memory
 * @param outgrowing what became of the job that outgrows its estimate; empty if there was none
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

  /** Of all jobs that were submitted; one that did not complete counts as the longest. */
  List<Double> completionSeconds() {
    return jobs.stream().map(JobOutcome::seconds).toList();
  }

  /** All work with a right result. */
  JobOutcome.Work work() {
    return jobs.stream().map(JobOutcome::work).reduce(JobOutcome.Work.NONE, JobOutcome.Work::plus);
  }
}
