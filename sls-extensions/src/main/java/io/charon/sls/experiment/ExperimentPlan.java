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
 * @param description purpose of the experiment; may be empty
 * @param workloads one workload file for all seeds or one for each, or {@link #EMBEDDED} alone;
 *     empty if the user has to name one
 * @param importCommand command that creates the workload from a trace, shown to users
 * @param embedded the workload that is generated if it is embedded
 * @param policies at least one, without duplicates
 * @param loads number of submissions of each best-effort job; at least one load, without duplicates
 * @param seeds number of seeds; seeds 1 to this number are run
 * @param nodes number of nodes; if empty, that of the workload
 * @param cores cores of each node; if empty, those of the workload
 * @param memoryGibibytes memory of each node, and the same amount of swap; if empty, that of the
 *     workload
 * @param queueLimit best-effort containers that may wait on a node
 * @param horizon longest time that a run continues after the last submission
 * @param placement the way the nodes of best-effort containers are chosen
 * @param fullQueues handling of a best-effort container when queues are full
 * @param bestEffortType type of all best-effort jobs, which determines how often their tasks may
 *     fail; if empty, each job has its own type
 * @param killsAreFailures whether a kill counts as a failure of its task
 * @param killDelays profile of kill delays
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
   * Returns all runs, with the seeds of one policy and load next to each other.
   *
   * @param clusterNodes number of nodes
   * @param size size of each node
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
   * Returns the settings that all runs share.
   *
   * @param command command line that the user typed
   * @param headers headers of the workload, one for all seeds or one for each
   * @param clusterNodes number of nodes
   * @param size size of each node
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
