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
 * The settings that the runs of a result share, for its readers.
 *
 * @param description purpose of the experiment; may be empty
 * @param command command line that the user typed
 * @param workloads headers of the workloads, with the achieved ratios: one for all seeds or one for
 *     each
 * @param cluster settings of the cluster
 * @param policies settings that the policies share
 * @param afterLastSubmission longest time that a run continued after the last submission
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
