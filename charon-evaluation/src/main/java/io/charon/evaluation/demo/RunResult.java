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
 * @param productionSeconds how long the production job took, from its submission to its end
 * @param productionBusySeconds time that its tasks spent on batches, without waiting for the next;
 *     mean of the tasks
 * @param productionProblems what is wrong with its results; empty if they are right
 * @param outputProblems what is wrong with the outputs of completed best-effort jobs; empty if they
 *     are right
 * @param submissionProblems best-effort jobs that could not be submitted
 * @param memoryUtilization mean of used memory over its limit, 0 to 1; empty if it was not sampled
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
    double productionSeconds,
    double productionBusySeconds,
    List<String> productionProblems,
    List<String> outputProblems,
    List<String> submissionProblems,
    OptionalDouble memoryUtilization,
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

  List<Double> completionSeconds() {
    return jobs.stream()
        .filter(job -> job.state() == JobOutcome.State.COMPLETED)
        .map(JobOutcome::seconds)
        .toList();
  }
}
