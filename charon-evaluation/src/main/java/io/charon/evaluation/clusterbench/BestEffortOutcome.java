/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.demo.ContainerTrace;
import io.charon.evaluation.demo.DemoApplications;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The outcome of the best-effort jobs of one run.
 *
 * @param completionSeconds time from submission to success of each job that succeeded within the
 *     horizon, seconds
 * @param tasks number of tasks that completed within the horizon; of MapReduce jobs those of jobs
 *     that succeeded
 * @param failedAttempts number of attempts that MapReduce counts as failed
 * @param lostWorkSeconds lifetime of the containers whose work was lost, seconds
 */
record BestEffortOutcome(
    List<Double> completionSeconds, int tasks, int failedAttempts, double lostWorkSeconds) {
  BestEffortOutcome {
    completionSeconds = List.copyOf(completionSeconds);
  }

  /**
   * Returns the completion times of the jobs that succeeded until {@code endMillis}, seconds, after
   * {@linkplain DemoApplications#settledStates waiting} until they are known.
   */
  static List<Double> completionSeconds(
      DemoApplications applications, Collection<ApplicationId> jobs, long endMillis)
      throws IOException, InterruptedException {
    Map<ApplicationId, DemoApplications.State> states = applications.settledStates();
    return jobs.stream()
        .map(states::get)
        .filter(Objects::nonNull)
        .filter(job -> job.finished() && job.succeeded() && job.finishMillis() <= endMillis)
        .map(DemoApplications.State::seconds)
        .toList();
  }

  /** Returns the sum of the lifetimes of containers, seconds. */
  static double lifetimeSeconds(Stream<ContainerTrace> containers) {
    return containers
        .mapToDouble(container -> container.endSeconds() - container.startSeconds())
        .sum();
  }
}
