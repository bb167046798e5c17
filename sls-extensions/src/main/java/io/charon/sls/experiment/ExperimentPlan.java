/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.experiment;

import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.cluster.FullQueues;
import io.charon.sls.cluster.Placement;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.NodeSize;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.run.ResultContext;
import io.charon.sls.run.RunSettings;
import io.charon.sls.trace.WorkloadHeader;
import io.charon.sls.workload.JobType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An experiment: every policy at every load with every seed, on one workload and cluster.
 *
 * @param description what it is for; may be empty
 * @param workloads a workload file for all seeds or one for each, or {@link #EMBEDDED} alone; empty
 *     if the user has to name one
 * @param importCommand the command that makes the workload from a trace, for users to read
 * @param embedded the workload that is generated if it is embedded
 * @param policies at least one, no two alike
 * @param loads how often each best-effort job is submitted; at least one, no two alike
 * @param seeds seeds 1 to this are run
 * @param nodes how many; without it as many as the workload is for
 * @param cores of each node; without it those that the workload is for
 * @param memoryGibibytes of each node, and as much swap; without it what the workload is for
 * @param queueLimit best-effort containers that may wait on a node
 * @param horizon how long a run goes on at most after the last submission
 * @param placement who chooses the nodes of best-effort containers
 * @param fullQueues what becomes of a best-effort container when queues are full
 * @param bestEffortType how often tasks of best-effort jobs may fail; without it that of each job
 * @param killsAreFailures whether a kill counts as a failure of its task
 * @param killDelays how long kills take
 */
public record ExperimentPlan(
    String description,
    List<String> workloads,
    Optional<String> importCommand,
    EmbeddedWorkload embedded,
    List<Policy> policies,
    List<Integer> loads,
    int seeds,
    OptionalInt nodes,
    OptionalInt cores,
    OptionalInt memoryGibibytes,
    int queueLimit,
    Duration horizon,
    Placement placement,
    FullQueues fullQueues,
    Optional<JobType> bestEffortType,
    boolean killsAreFailures,
    KillDelay.Profile killDelays) {
  /** The name of the workload that needs no file. */
  public static final String EMBEDDED = "embedded";

  /** Copies the lists. */
  public ExperimentPlan {
    workloads = List.copyOf(workloads);
    policies = List.copyOf(policies);
    loads = List.copyOf(loads);
  }

  /**
   * All runs, the seeds of one policy and load beside each other.
   *
   * @param clusterNodes how many
   * @param size of each
   */
  public List<RunSettings> runs(int clusterNodes, NodeSize size) {
    ClusterSettings cluster = cluster(clusterNodes, size);
    List<RunSettings> runs = new ArrayList<>();
    for (Policy policy : policies) {
      for (int load : loads) {
        for (long seed = 1; seed <= seeds; seed++) {
          runs.add(
              new RunSettings(
                  policy,
                  load,
                  seed,
                  cluster,
                  PolicySettings.defaults(killDelays),
                  ThrashModel.measured(),
                  horizon));
        }
      }
    }
    return runs;
  }

  /**
   * What all runs have in common.
   *
   * @param command that was typed
   * @param headers of the workload, one for all seeds or one for each
   * @param clusterNodes how many
   * @param size of each
   */
  public ResultContext context(
      String command, List<WorkloadHeader> headers, int clusterNodes, NodeSize size) {
    return new ResultContext(
        description,
        command,
        headers,
        cluster(clusterNodes, size),
        PolicySettings.defaults(killDelays),
        horizon);
  }

  private ClusterSettings cluster(int clusterNodes, NodeSize size) {
    return ClusterSettings.paper(clusterNodes)
        .withNodes(size, queueLimit)
        .withPlacement(placement)
        .withFullQueues(fullQueues)
        .withBestEffortType(bestEffortType)
        .withKillsAsFailures(killsAreFailures);
  }
}
