/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import java.time.Duration;
import java.util.Objects;

/**
 * The settings of one run.
 *
 * @param policy the policy
 * @param load number of submissions of each best-effort job, at least 1 (the paper's X1 to X4)
 * @param seed seed of all random numbers
 * @param cluster settings of the cluster
 * @param policies settings that the policies share
 * @param thrash slowdown by memory that does not fit
 * @param afterLastSubmission longest time that the run continues after the last submission
 */
public record RunSettings(
    Policy policy,
    int load,
    long seed,
    ClusterSettings cluster,
    PolicySettings policies,
    ThrashModel thrash,
    Duration afterLastSubmission) {
  /** Checks the ranges. */
  public RunSettings {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(policies, "policies");
    Objects.requireNonNull(thrash, "thrash");
    if (load < 1 || afterLastSubmission.isNegative()) {
      throw new IllegalArgumentException(
          "load must be at least 1 and the time after the last submission not negative, got "
              + load
              + ", "
              + afterLastSubmission);
    }
  }
}
