/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.experiment;

import io.charon.sls.cluster.ClusterNodes;
import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.cluster.OpportunisticAllocation;
import io.charon.sls.cluster.RetryRules;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.NodeSize;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.run.ResultContext;
import io.charon.sls.run.RunSettings;
import io.charon.sls.trace.WorkloadHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An experiment: a grid of runs on one workload and cluster.
 *
 * @param description purpose of the experiment; may be empty
 * @param workload the workload
 * @param grid the runs
 * @param nodes the nodes
 * @param horizon longest time that a run continues after the last submission
 * @param allocation choice of nodes for best-effort containers
 * @param retries rules by which tasks use up their retries
 * @param killDelays profile of kill delays
 */
public record ExperimentPlan(
    String description,
    PlannedWorkload workload,
    RunGrid grid,
    PlannedNodes nodes,
    Duration horizon,
    OpportunisticAllocation allocation,
    RetryRules retries,
    KillDelay.Profile killDelays) {
  /**
   * The runs of an experiment: every policy at every load with every seed.
   *
   * @param policies at least one, without duplicates
   * @param loads number of submissions of each best-effort job; at least one load, without
   *     duplicates
   * @param seeds number of seeds; seeds 1 to this number are run
   */
  public record RunGrid(List<Policy> policies, List<Integer> loads, int seeds) {
    /** Copies the lists. */
    public RunGrid {
      policies = List.copyOf(policies);
      loads = List.copyOf(loads);
    }
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
    for (Policy policy : grid.policies()) {
      for (int load : grid.loads()) {
        for (long seed = 1; seed <= grid.seeds(); seed++) {
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
        .with(new ClusterNodes(clusterNodes, size, nodes.queueLimit()))
        .with(allocation)
        .with(retries);
  }
}
