/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.trace.WorkloadHeader;
import java.time.Duration;
import java.util.List;

/**
 * What runs have in common, for whoever reads their result.
 *
 * @param description what the experiment is for; may be empty
 * @param command the command that was typed
 * @param workloads what ran, with the ratios that it achieves: at least one, for all seeds or for
 *     each its own
 * @param cluster what it ran on
 * @param policies what the policies have in common
 * @param afterLastSubmission how long a run went on at most after the last submission
 */
public record ResultContext(
    String description,
    String command,
    List<WorkloadHeader> workloads,
    ClusterSettings cluster,
    PolicySettings policies,
    Duration afterLastSubmission) {
  /** Copies the list. */
  public ResultContext {
    workloads = List.copyOf(workloads);
  }
}
