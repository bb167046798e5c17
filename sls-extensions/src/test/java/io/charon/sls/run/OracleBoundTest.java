/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.sls.cluster.ClusterNodes;
import io.charon.sls.cluster.ClusterSettings;
import io.charon.sls.cluster.ClusterTiming;
import io.charon.sls.cluster.MasterProfile;
import io.charon.sls.cluster.OpportunisticAllocation;
import io.charon.sls.cluster.RetryRules;
import io.charon.sls.node.KillDelay;
import io.charon.sls.node.NodeSize;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.policy.Policy;
import io.charon.sls.policy.PolicySettings;
import io.charon.sls.workload.Side;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks that few policies complete more jobs than the oracle if memory is short. The oracle is
 * greedy and therefore no strict bound; docs/simulator.md has the results for more seeds.
 */
class OracleBoundTest {
  /**
   * Maximum number of production tasks beyond two in each job; few, so that production leaves
   * memory to best-effort.
   */
  private static final int PRODUCTION_TASKS = 3;

  /**
   * Node to scheduler and scheduler to master: production may meet a different heartbeat of each.
   */
  private static final double HEARTBEATS_SECONDS = 2;

  /**
   * Policies that may complete more jobs, because the oracle is greedy for each task: one that
   * knows every peak, and those with a fair queue, in which small jobs end first.
   */
  private static final Set<Policy> NOT_BOUNDED =
      EnumSet.of(
          Policy.CHARON_PROFILED,
          Policy.CHARON_FAIR,
          Policy.CHARON,
          Policy.CHARON_DROP_IN,
          Policy.CHARON_ANY_PROCESSORS,
          Policy.CHARON_EVICT_LINE,
          Policy.CHARON_EVICT_SATISFACTION,
          Policy.CHARON_MEMORY_RESERVE,
          Policy.CHARON_WATER_LINE,
          Policy.CHARON_NO_LIMIT,
          Policy.CHARON_NO_CGROUPS,
          Policy.THRESHOLD_FAIR,
          Policy.THRESHOLD_LIMIT);

  private static final List<Policy> POLICIES =
      Arrays.stream(Policy.values())
          .filter(policy -> policy.runs(Side.PRODUCTION) && policy.runs(Side.BEST_EFFORT))
          .filter(policy -> !NOT_BOUNDED.contains(policy))
          .toList();

  @Test
  void noPolicyCompletesMore() throws IOException {
    int load = 2;
    long seed = 1;
    RunResult oracle = run(Policy.ORACLE, load, seed);
    assertThat(oracle.bestEffort().unfinished()).as("too little memory for all").isPositive();
    assertThat(oracle.disruptions().moves())
        .as("production's growth makes room for itself")
        .isPositive();
    assertThat(oracle.disruptions().kills()).as("a move is no kill").isZero();
    for (Policy policy : POLICIES) {
      assertThat(run(policy, load, seed).bestEffort().completed())
          .as(policy.key())
          .isLessThanOrEqualTo(oracle.bestEffort().completed());
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "3, 2", "2, 3", "3, 4"})
  void productionTakesNoLongerThanAlone(int load, long seed) throws IOException {
    double[] with = run(Policy.ORACLE, load, seed).production().times().seconds().toArray();
    double[] without =
        run(Policy.PRODUCTION_ALONE, load, seed).production().times().seconds().toArray();
    assertThat(with).hasSameSizeAs(without);
    for (int job = 0; job < with.length; job++) {
      assertThat(with[job]).isLessThanOrEqualTo(without[job] + HEARTBEATS_SECONDS);
    }
  }

  private static RunResult run(Policy policy, int load, long seed) throws IOException {
    return SimulationRun.run(
        new RunSettings(
            policy,
            load,
            seed,
            new ClusterSettings(
                new ClusterNodes(4, new NodeSize(16L << 30, 16, 16L << 30), 5),
                new MasterProfile(1L << 28, 1L << 28, Duration.ofSeconds(2), 0, 0, Duration.ZERO),
                Integer.MAX_VALUE,
                new ClusterTiming(Duration.ofSeconds(1), Duration.ofMillis(50)),
                OpportunisticAllocation.CENTRAL,
                RetryRules.OF_THE_PAPER),
            PolicySettings.defaults(KillDelay.Profile.MEASURED),
            ThrashModel.measured(),
            Duration.ofMinutes(30)),
        SmallWorkload.mix(PRODUCTION_TASKS),
        new RunProgress());
  }
}
