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

/**
 * What runs have in common, for whoever reads their result.
 *
 * @param description what the experiment is for; may be empty
 * @param command the command that was typed
 * @param workload what ran, with the ratios that it achieves; of the first seed if it was generated
 * @param cluster what it ran on
 * @param policies what the policies have in common
 * @param afterLastSubmission how long a run went on at most after the last submission
 */
public record ResultContext(
    String description,
    String command,
    WorkloadHeader workload,
    ClusterSettings cluster,
    PolicySettings policies,
    Duration afterLastSubmission) {}
