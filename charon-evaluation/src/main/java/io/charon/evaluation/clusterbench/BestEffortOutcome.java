/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.demo.Applications;
import io.charon.evaluation.demo.ContainerTrace;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.TaskCompletionEvent.Status;

/**
 * The outcome of the best-effort jobs of a run at the end of the horizon.
 *
 * @param completionSeconds completion times of the jobs that succeeded
 * @param failedAttempts number of task attempts that failed
 * @param lostWorkSeconds total lifetime of the containers of attempts that were killed or failed
 */
record BestEffortOutcome(
    List<Double> completionSeconds, int failedAttempts, double lostWorkSeconds) {
  BestEffortOutcome {
    completionSeconds = List.copyOf(completionSeconds);
  }

  /**
   * Evaluates the jobs.
   *
   * @param jobs the submitted jobs
   * @param endMillis end of the horizon, by the ResourceManager's clock
   * @param attempts the attempts that did not succeed, with their status
   * @param containers all containers
   */
  static BestEffortOutcome of(
      Collection<Applications.State> jobs,
      long endMillis,
      Map<String, Status> attempts,
      List<ContainerTrace> containers) {
    return new BestEffortOutcome(
        jobs.stream()
            .filter(job -> job.finished() && job.succeeded() && job.finishMillis() <= endMillis)
            .map(Applications.State::seconds)
            .toList(),
        (int)
            attempts.values().stream()
                .filter(status -> status == Status.FAILED || status == Status.TIPFAILED)
                .count(),
        containers.stream()
            .filter(container -> attempts.containsKey(container.attempt()))
            .mapToDouble(container -> container.endSeconds() - container.startSeconds())
            .sum());
  }
}
