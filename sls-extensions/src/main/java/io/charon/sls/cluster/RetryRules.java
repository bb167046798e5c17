/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.sls.workload.JobType;
import java.util.Objects;
import java.util.Optional;

/**
 * The rules by which tasks use up their retries.
 *
 * @param bestEffortType type of all best-effort jobs, which determines how often their tasks may
 *     fail; if empty, each job has its own type
 * @param killsAreFailures whether a kill for memory counts as a failure of the task, as in the
 *     paper
 */
public record RetryRules(Optional<JobType> bestEffortType, boolean killsAreFailures) {
  /** The rules of the paper. */
  public static final RetryRules OF_THE_PAPER = new RetryRules(Optional.empty(), true);

  /** Rules by which kills cost no retry, as in MapReduce. */
  public static final RetryRules KILLS_ARE_FREE = new RetryRules(Optional.empty(), false);

  /** Checks that nothing is missing. */
  public RetryRules {
    Objects.requireNonNull(bestEffortType, "bestEffortType");
  }
}
